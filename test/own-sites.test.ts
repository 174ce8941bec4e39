import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { openCrawl } from '../src/forager.ts'
import { commandsOf, configOf, shell } from './followed-page.ts'
import { type Ended, foragerIn, startForager } from './forager-process.ts'
import { html, startScriptedSite } from './scripted-site.ts'
import { filesIn, formsOf, type Place, placesWith, tablesIn } from './secret-search.ts'

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'forager-own-sites-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

function writeConfig(folder: string, config: object, mode = 0o600): void {
  writeFileSync(join(folder, 'forager.config.json'), JSON.stringify(config), { mode })
}

const basicOf = (user: string, password: string) =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`

describe('the how-to page', () => {
  const page = readFileSync('docs/how-to/crawl-your-own-site.md', 'utf8')
  const AUTHORIZATION = basicOf('crawler', 'correct horse battery staple')
  const guarded =
    (answer: (request: IncomingMessage, response: ServerResponse) => void) =>
    (request: IncomingMessage, response: ServerResponse) => {
      if (request.headers.authorization === AUTHORIZATION) answer(request, response)
      else response.writeHead(401, { 'www-authenticate': 'Basic realm="intranet"' }).end('no')
    }
  const site = {
    '/robots.txt': guarded((_, response) => response.end('User-agent: *\nDisallow: /drafts/')),
    '/': guarded(
      html('<title>Home</title><a href="/leave">leave</a> <a href="/print/leave">p</a>'),
    ),
    '/leave': guarded(
      html('<title>Leave</title>How many holidays there are <a href="/drafts/x">x</a>'),
    ),
  }

  test('can be followed: the password opens the site, its patterns hold, and the pages can be searched', async () => {
    using server = await startScriptedSite(site)
    const folder = newFolder()
    const commands = commandsOf(page)
    writeConfig(folder, { ...JSON.parse(configOf(page)), http: { resolve: [server.resolve] } })
    const ended = []
    for (const command of commands) {
      const { code, stdout, stderr } = await shell(command, folder)
      expect(code, `${command}\n${stderr}`).toBe(0)
      expect(stderr).not.toMatch(/others here can read/)
      ended.push(stdout)
    }
    const paths = server.asked.map(({ url }) => new URL(url).pathname)
    expect(paths).toEqual(expect.arrayContaining(['/robots.txt', '/', '/leave']))
    expect(paths).not.toEqual(expect.arrayContaining(['/print/leave']))
    expect(paths).not.toEqual(expect.arrayContaining(['/drafts/x']))
    expect(server.asked.every(({ headers }) => headers.authorization === AUTHORIZATION)).toBe(true)
    expect(ended.at(-2)).toMatch(
      /^1 link left alone: excluded for intranet\.example \(its scope\.exclude in "sites"\), as https:\/\/intranet\.example\/print\/leave$/m,
    )
    expect(ended.at(-1)).toMatch(/https:\/\/intranet\.example\/leave/)
  })

  test('says what a wrong password looks like', async () => {
    using server = await startScriptedSite(site)
    const folder = newFolder()
    const [makeFolder] = commandsOf(page)
    await shell(makeFolder, folder)
    writeFileSync(join(folder, 'secrets/intranet'), 'wrong', { mode: 0o600 })
    writeConfig(folder, { ...JSON.parse(configOf(page)), http: { resolve: [server.resolve] } })
    const { code, stderr } = await foragerIn(folder, 'crawl', '--no-sitemaps')
    expect(code).toBe(0)
    const [promised] = /intranet\.example turned us away[^…\n]*/.exec(page)!
    expect(stderr).toContain(promised.trim())
    const { stdout } = await foragerIn(folder, 'fetch', 'https://intranet.example/')
    expect(stdout).toMatch(/status 401, credentials not accepted/)
    const status = await foragerIn(folder, 'status')
    expect(status.stdout).toContain(promised.trim())
  })
})

test('a program can change what holds for a site amid a run, and sees no secret in the settings', async () => {
  using site = await startScriptedSite({
    '/': html('<a href="/1">1</a>'),
    '/1': html('<a href="/2">2</a>'),
    '/2': html('the end'),
  })
  const own = (bearer: string) => [{ match: 'a.example', credentials: { bearer } }]
  await using crawl = await openCrawl({
    ...{ dir: join(newFolder(), 'data'), seeds: ['https://a.example/'], resolve: [site.resolve] },
    ...{ delay: 0, sitemaps: false, sites: own('first-token') },
  })
  expect(JSON.stringify(crawl.settings)).not.toContain('first-token')
  expect(() => crawl.useSites([{ match: '*.com' }])).toThrow(/sites\[0\]\.match/)
  await crawl.run({
    on: {
      outcome: ({ url }) => {
        if (url.endsWith('/1')) crawl.useSites(own('second-token'))
      },
    },
  })
  const sent = site.asked.map(({ url, headers }) => [new URL(url).pathname, headers.authorization])
  expect(sent).toEqual([
    ['/robots.txt', 'Bearer first-token'],
    ['/', 'Bearer first-token'],
    ['/1', 'Bearer first-token'],
    ['/2', 'Bearer second-token'],
  ])
})

/** One for each way to give one, and each way to send one. */
const PASSWORD = 'p4ss-Wörd-of-basic'
const TOKEN = 'token-of-the-bearer-7Q'
const COOKIE = 'value-of-the-cookie-X9'
const API_KEY = 'value-of-a-header-K3'
const OTHER_TOKEN = 'token-for-loopback-L5'
const FORMS = [
  ...[PASSWORD, TOKEN, COOKIE, API_KEY, OTHER_TOKEN].flatMap(formsOf),
  ...formsOf(`crawler:${PASSWORD}`),
]

type Answer = (request: IncomingMessage, response: ServerResponse) => void

function redirect(target: string, status = 301): Answer {
  return (_, response) => void response.writeHead(status, { location: target }).end()
}

/** Everything by which one page can send a crawler to another. */
async function startWeb(onPage: (path: string) => Promise<void> | void = () => {}) {
  const elsewhere = await startScriptedSite({
    '/robots-of-intranet': (_, response) =>
      response.end('User-agent: *\nAllow: /\nSitemap: https://elsewhere.example/sitemap.xml'),
    '/sitemap.xml': (_, response) =>
      void response
        .writeHead(200, { 'content-type': 'application/xml' })
        .end('<urlset><url><loc>https://intranet.example/only-in-sitemap</loc></url></urlset>'),
    '/': html('<title>Elsewhere</title><a href="https://intranet.example/from-outside">in</a>'),
    '/landed': html('<title>Landed</title>'),
    '/refreshed': html('<title>Refreshed</title>'),
    '/linked': html('<title>Linked</title>'),
    '/canonical': html('<title>Canonical</title>'),
    '/back': redirect('https://intranet.example/from-outside'),
    '/public': html('<title>Public</title>'),
    '/privateer': html('<title>Privateer</title>'),
    '/private/x': html('<title>Private</title>'),
  })
  const links = [
    ...['/to-other', '/to-http', '/to-port', '/to-below', '/to-user', '/refresh', '/linking'],
    ...['/denied', '/late', '//elsewhere.example/', '//elsewhere.example/back'],
    ...['https://api.example/public', 'https://api.example/private/x'],
    ...['https://api.example/privateer', 'http://intranet.example/plain-link'],
    `http://127.0.0.1:${elsewhere.port}/public`,
  ]
  const intranet = await startScriptedSite({
    '/robots.txt': redirect('https://elsewhere.example/robots-of-intranet', 302),
    '/': html(`<title>Intranet</title>${links.map((to) => `<a href="${to}">${to}</a>`).join(' ')}`),
    '/to-other': redirect('https://elsewhere.example/landed'),
    '/to-http': redirect('http://intranet.example/plain', 302),
    '/to-port': redirect('https://intranet.example:8443/other-port', 307),
    '/to-below': redirect('https://below.intranet.example/', 308),
    '/to-user': redirect('https://intranet.example@elsewhere.example/landed', 303),
    '/refresh': html(
      '<meta http-equiv="refresh" content="0; url=https://elsewhere.example/refreshed">',
    ),
    '/linking': html('<title>Linking</title>', {
      link: '<https://elsewhere.example/linked>; rel=next, <https://elsewhere.example/canonical>; rel=canonical',
    }),
    '/denied': (_, response) => void response.writeHead(403).end('no'),
    '/from-outside': html('<title>From outside</title>'),
    '/only-in-sitemap': html('<title>Only in a sitemap</title>'),
    '/plain': html('<title>Plain</title>'),
    '/plain-link': html('<title>Plain</title>'),
    '/other-port': html('<title>Another port</title>'),
    '/late': async (request, response) => {
      await onPage('/late')
      html('<title>Late</title>')(request, response)
    },
  })
  return { elsewhere, intranet }
}

type Web = Awaited<ReturnType<typeof startWeb>>

function configFor(folder: string, { intranet, elsewhere }: Web) {
  const file = join(folder, 'elsewhere-on-disk', 'token')
  writeFileSync(join(folder, 'token'), `${TOKEN}\n`, { mode: 0o600 })
  return {
    file,
    config: {
      seeds: ['https://intranet.example/', `http://127.0.0.1:${intranet.port}/from-outside`],
      politeness: { delaySeconds: 0 },
      http: {
        resolve: [
          ...['intranet.example', '*.intranet.example'].map(
            (h) => `${h}=127.0.0.1:${intranet.port}`,
          ),
          ...['elsewhere.example', 'api.example'].map((h) => `${h}=127.0.0.1:${elsewhere.port}`),
        ],
        allowPrivate: true,
      },
      log: { file: 'crawl.jsonl', level: 'debug' },
      metrics: { port: 0 },
      sites: [
        {
          match: 'intranet.example',
          credentials: { basic: { user: 'crawler', password: PASSWORD } },
          cookies: { session: { env: 'FORAGER_TEST_COOKIE' } },
          headers: { 'X-Api-Key': { env: 'FORAGER_TEST_KEY' } },
        },
        { match: 'api.example/private', credentials: { bearer: { file: 'token' } } },
        { match: `127.0.0.1:${intranet.port}`, credentials: { bearer: OTHER_TOKEN } },
      ],
    },
  }
}

const ENV = { FORAGER_DEBUG: '1', FORAGER_TEST_COOKIE: COOKIE, FORAGER_TEST_KEY: API_KEY }

/** What others than their sites were sent. */
function requestsElsewhere({ intranet, elsewhere }: Web): Place[] {
  const isOwn = ({ url, headers }: Web['intranet']['asked'][number]) => {
    const { host, pathname } = new URL(url)
    if (host === `127.0.0.1:${intranet.port}`) return true
    if (headers['x-forwarded-proto'] !== 'https') return false
    return host === 'intranet.example' || (host === 'api.example' && pathname === '/private/x')
  }
  return [...intranet.asked, ...elsewhere.asked]
    .filter((asked) => !isOwn(asked))
    .map((asked) => ({ name: `a request for ${asked.url}`, bytes: JSON.stringify(asked) }))
}

test('secrets of own sites are nowhere but there, whatever leads away from them, also after a kill', async () => {
  let onLate: () => Promise<void> | void = () => {}
  const web = await startWeb(() => onLate())
  using _ = web.intranet
  using _too = web.elsewhere
  const home = newFolder()
  const { config } = configFor(home, web)
  writeConfig(home, config)
  // The crawl's own folder, so that the settings themselves are not found.
  const args = [
    '--config',
    join(home, 'forager.config.json'),
    '--dir',
    'data',
    '--log',
    'log.jsonl',
  ]
  const folder = newFolder()
  const crawl = () => startForager(['crawl', '--json', ...args], folder, undefined, ENV)

  const killed = crawl()
  const metricsUrl = await new Promise<string>((resolve) =>
    killed.child.stderr!.on('data', (data) => {
      const [url] = /http:\S+\/metrics/.exec(String(data)) ?? []
      if (url) resolve(url)
    }),
  )
  let metrics = ''
  await new Promise<void>((resolve) => {
    onLate = async () => {
      metrics = await (await fetch(metricsUrl)).text()
      killed.child.kill('SIGKILL')
      resolve()
    }
  })
  onLate = () => {}
  const first = await killed.ended
  const afterKill = filesIn(folder)
  expect(afterKill.map(({ name }) => name)).toEqual(
    expect.arrayContaining([expect.stringMatching(/segments\/cycle/)]),
  )

  const second = await crawl().ended
  expect(second.code, second.stderr).toBe(0)
  const told: Place[] = []
  const tell = (name: string, { stdout, stderr }: Pick<Ended, 'stdout' | 'stderr'>) =>
    told.push({ name, bytes: `${stdout}\n${stderr}` })
  tell('the crawl that was killed', first)
  tell('the crawl', second)
  for (const [name, value] of Object.entries(ENV)) vi.stubEnv(name, value)
  onTestFinished(() => void vi.unstubAllEnvs())
  const url = 'https://intranet.example/denied'
  for (const command of [
    ...[['status'], ['status', '--json'], ['explain', url], ['explain', url, '--json']],
    ...[['plan', '--json'], ['check'], ['search', 'intranet', '--json'], ['queries', 'needy']],
    ['fetch', url, '--json'],
    ['fetch', 'https://intranet.example/to-other'],
  ]) {
    const where = command[0] === 'fetch' ? args.slice(0, 2) : ['--dir', 'data']
    const ended = await foragerIn(folder, ...command, ...where)
    expect(ended.stderr, command.join(' ')).not.toMatch(/unknown option/)
    tell(command.join(' '), ended)
  }
  const serve = startForager(['serve', '--dir', 'data', '--port', '0', '--json'], folder)
  const where = await new Promise<string>((resolve) =>
    serve.child.stdout!.once('data', (data) => resolve(JSON.parse(String(data)).url)),
  )
  for (const path of ['search?q=intranet', 'api/search?q=intranet', 'metrics'])
    told.push({ name: path, bytes: await (await fetch(where + path)).text() })
  serve.child.kill('SIGTERM')
  await serve.ended

  const places = [
    ...afterKill,
    ...filesIn(folder),
    ...(await tablesIn(join(folder, 'data'))),
    ...told,
    { name: 'metrics', bytes: metrics },
    ...requestsElsewhere(web),
  ]
  expect(placesWith(FORMS, places)).toEqual([])
  expect(metrics).toMatch(/forager_/)
  expect(placesWith(FORMS, filesIn(home)), 'they would be found').toEqual([
    ...['forager.config.json', 'token'],
  ])

  // All ways that lead away were gone, and the sites got what is theirs, robots.txt too.
  const asked = new Map(
    [...web.intranet.asked, ...web.elsewhere.asked].map((one) => [
      `${one.headers['x-forwarded-proto'] ?? 'http'}${one.url.slice(4)}`,
      one.headers,
    ]),
  )
  for (const path of ['', 'robots.txt', 'from-outside', 'only-in-sitemap', 'denied'])
    expect(asked.get(`https://intranet.example/${path}`), path).toMatchObject({
      authorization: basicOf('crawler', PASSWORD),
      cookie: `session=${COOKIE}`,
      'x-api-key': API_KEY,
    })
  for (const away of [
    ...['https://elsewhere.example/landed', 'https://elsewhere.example/refreshed'],
    ...['https://elsewhere.example/linked', 'https://elsewhere.example/sitemap.xml'],
    ...['https://elsewhere.example/robots-of-intranet', 'http://intranet.example/plain'],
    ...['https://intranet.example:8443/other-port', 'https://below.intranet.example/'],
    ...['http://intranet.example/robots.txt', 'https://api.example/privateer'],
    `http://127.0.0.1:${web.elsewhere.port}/public`,
  ]) {
    expect(asked.get(away), away).toBeDefined()
    expect(Object.keys(asked.get(away)!), away).not.toContain('authorization')
  }
  expect(asked.get('https://api.example/private/x')?.authorization).toBe(`Bearer ${TOKEN}`)
  expect(asked.get(`http://127.0.0.1:${web.intranet.port}/from-outside`)?.authorization).toBe(
    `Bearer ${OTHER_TOKEN}`,
  )
  expect(JSON.parse(second.stdout).refusing).toContainEqual({
    host: 'intranet.example',
    urls: 1,
    status: 403,
    reason: 'credentials not accepted',
  })
  const warcs = filesIn(folder).filter(({ name }) => name.endsWith('.warc.gz'))
  expect(warcs.map(({ bytes }) => String(bytes)).join()).toContain('GET /from-outside HTTP/1.1')
})

describe('a mistake in "sites"', () => {
  const SECRET = 'hunter2-hunter2'

  test.each([
    [`{\n  "sites": [\n    { "bearer": ${SECRET} }\n  ]\n}`, /something unexpected near line 3 /],
    [SECRET, /something unexpected near line 1 /],
    [`// mine\n{ "sites": "${SECRET}" }`, /something unexpected near line [12] /],
    [`{ "sites": "${SECRET}", }`, /at position 30 \(line 1 column 31\)/],
    [`{ "sites": "${SECRET}`, /Unterminated string/],
  ])('(%j, which is no JSON) is named by its place, and quoted nowhere', async (text, words) => {
    const folder = newFolder()
    writeFileSync(join(folder, 'forager.config.json'), text)
    vi.stubEnv('FORAGER_DEBUG', '1')
    onTestFinished(() => void vi.unstubAllEnvs())
    const { code, stderr, stdout } = await foragerIn(folder, 'crawl')
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(words) })
    for (const part of [SECRET.slice(0, 7), SECRET.slice(-7)])
      expect(`${stdout}${stderr}`).not.toContain(part)
  })

  test.each([
    ['no list', { match: 'a.example' }, /sites must be a list/],
    ['no match', [{ delay: 1 }], /sites\[0\] needs a match/],
    ['a match for everybody', [{ match: '*.com' }], /sites\[0\]\.match "\*\.com" means everybody/],
    [
      'a password in a match',
      [{ match: `me:${SECRET}@a.example` }],
      /sites\[0\]\.match has a user name/,
    ],
    [
      'one site twice',
      [{ match: 'a.example' }, { match: 'A.example/' }],
      /sites\[1\]\.match is that of sites\[0\]/,
    ],
    [
      'an unknown key',
      [{ match: 'a.example', delaySeconds: 1 }],
      /sites\[0\] has no setting "delaySeconds"; did you mean "delay"\?/,
    ],
    [
      'a slip of the pen',
      [{ match: 'a.example', credentials: { baerer: SECRET } }],
      /sites\[0\]\.credentials has no setting "baerer"; did you mean "bearer"\?/,
    ],
    [
      'a delay that is none',
      [{ match: 'b.example' }, { match: 'a.example', delay: 'fast' }],
      /sites\[1\]\.delay must be a number of at least 0, not "fast"/,
    ],
    [
      'a delay for a path',
      [{ match: 'a.example/x', delay: 1 }],
      /sites\[0\]\.delay is for whole hosts/,
    ],
    [
      'no secret',
      [{ match: 'a.example', credentials: { bearer: { token: SECRET } } }],
      /sites\[0\]\.credentials\.bearer must be text, \{ "env": "NAME" \} or \{ "file": "path" \}/,
    ],
    [
      'half of a pair',
      [{ match: 'a.example', credentials: { basic: { password: SECRET } } }],
      /sites\[0\]\.credentials\.basic needs a user/,
    ],
    [
      'both kinds',
      [
        {
          match: 'a.example',
          credentials: { bearer: SECRET, basic: { user: 'a', password: SECRET } },
        },
      ],
      /sites\[0\]\.credentials takes one of basic and bearer/,
    ],
    [
      'a header that is ours',
      [{ match: 'a.example', headers: { Authorization: SECRET } }],
      /sites\[0\]\.headers\.Authorization cannot be set here: say it by credentials/,
    ],
    [
      'another host',
      [{ match: 'a.example', headers: { Host: 'b.example' } }],
      /sites\[0\]\.headers\.Host cannot be set/,
    ],
    [
      'a line break',
      [{ match: 'a.example', headers: { 'X-Key': `${SECRET}\r\nX-More: 1` } }],
      /sites\[0\]\.headers\.X-Key: the text has characters in it that cannot be sent there/,
    ],
    [
      'http by name',
      [{ match: 'http://a.example', credentials: { bearer: SECRET } }],
      /sites\[0\]\.match names http.*allowHttp/,
    ],
    [
      'a variable that is not set',
      [{ match: 'a.example', credentials: { bearer: { env: 'FORAGER_NO_SUCH_VARIABLE' } } }],
      /sites\[0\]\.credentials\.bearer: the environment variable FORAGER_NO_SUCH_VARIABLE is not set/,
    ],
    [
      'a file that is not there',
      [{ match: 'a.example', cookies: { id: { file: 'nowhere' } } }],
      /sites\[0\]\.cookies\.id: nowhere: there is no such file/,
    ],
  ])('(%s) is named, and no secret is', async (_, sites, words) => {
    const folder = newFolder()
    writeConfig(folder, { sites, log: { file: 'log.jsonl' } })
    const args = ['crawl', 'https://a.example/', '--resolve', '*=127.0.0.1:9']
    const { code, stderr, stdout } = await foragerIn(folder, ...args)
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(words) })
    expect(`${stdout}${stderr}`).not.toContain(SECRET)
  })
})

test('a crawl warns of files with secrets that others can read, and of sites that nothing is known of', async () => {
  using site = await startScriptedSite({ '/': html('<title>A</title>') })
  const folder = newFolder()
  const sites = [
    { match: 'a.example', credentials: { bearer: 'x' } },
    { match: 'a.example/x', headers: { 'X-Key': 'y' } },
    { match: 'a.exmaple', delay: 1 },
  ]
  writeConfig(folder, { sites })
  const init = ['identity', 'init', '--agent', 'https://bot.example', '--contact', 'a@b.example']
  await foragerIn(folder, ...init)
  const args = ['crawl', 'https://a.example/', '--resolve', site.resolve, '--delay', '0']
  const identity = ['--identity-key', 'forager-identity/key.json']
  const agent = ['--identity-agent', 'https://bot.example']
  const notes = async () => (await foragerIn(folder, ...args, ...identity, ...agent)).stderr
  const first = await notes()
  expect(first).not.toMatch(/others/)
  expect(first.match(/^"sites": .*/gm)).toEqual([
    expect.stringMatching(/^"sites": a\.exmaple is no host of a seed, nor one that is known/),
  ])
  chmodSync(join(folder, 'forager-identity/key.json'), 0o644)
  chmodSync(join(folder, 'forager.config.json'), 0o640)
  expect((await notes()).match(/^.* holds secrets .*/gm)).toEqual([
    'forager.config.json holds secrets that others here can read: chmod 600 forager.config.json',
    'forager-identity/key.json holds secrets that others here can read: chmod 600 forager-identity/key.json',
  ])
})
