import { writeFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { isThorough } from '#numeric/cases.test-kit.ts'
import { temporaryFolder } from '#repository/temporary-folder.test-kit.ts'
import { basicOf, writeConfig } from './config-folder.ts'
import { type Ended, foragerIn, startForager } from './forager-process.ts'
import { html, startScriptedSite } from './scripted-site.ts'
import { filesIn, formsOf, type Place, placesWith, tablesIn } from './secret-search.ts'

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
  writeFileSync(join(folder, 'token'), `${TOKEN}\n`, { mode: 0o600 })
  return {
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
  const home = temporaryFolder()
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
  const folder = temporaryFolder()
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

test.runIf(isThorough)(
  'a service that reads its settings again sends new secrets, and neither old nor new ones are kept',
  async () => {
    const web = await startWeb()
    using _ = web.intranet
    using _too = web.elsewhere
    const [home, folder] = [temporaryFolder(), temporaryFolder()]
    const { config } = configFor(home, web)
    const more = {
      dir: join(folder, 'data'),
      log: { file: join(folder, 'log.jsonl'), level: 'debug' },
    }
    const [own, ...others] = config.sites
    const withPassword = (password: string) => ({
      ...{ ...config, ...more, service: { fetchesADay: 10_000 } },
      sites: [{ ...own, credentials: { basic: { user: 'crawler', password } } }, ...others],
    })
    writeConfig(home, withPassword('the-former-password'))
    const args = ['run', '--config', join(home, 'forager.config.json')]
    const { child, ended } = startForager(args, folder, undefined, ENV)
    onTestFinished(() => void child.kill('SIGKILL'))
    // Other ports and hosts that lead to the same server get none, and may ask for the same path later.
    const passwordFor = (path: string) =>
      web.intranet.asked
        .filter(({ url }) => new URL(url).pathname === path)
        .findLast(({ headers }) => headers.authorization !== undefined)?.headers.authorization
    await vi.waitUntil(() => passwordFor('/late') !== undefined, { timeout: 30_000 })
    const seeds = [...config.seeds, 'https://intranet.example/after-reload']
    writeConfig(home, { ...withPassword(PASSWORD), seeds })
    child.kill('SIGHUP')
    await vi.waitUntil(() => passwordFor('/after-reload') !== undefined, { timeout: 30_000 })
    const status = await foragerIn(folder, 'status', '--dir', 'data')
    child.kill('SIGTERM')
    const { code, stdout, stderr } = await ended
    expect(code, stderr).toBe(0)
    expect(passwordFor('/late')).toBe(basicOf('crawler', 'the-former-password'))
    expect(passwordFor('/after-reload')).toBe(basicOf('crawler', PASSWORD))
    const places = [
      ...filesIn(folder),
      ...(await tablesIn(join(folder, 'data'))),
      ...requestsElsewhere(web),
      { name: 'output', bytes: `${stdout}${stderr}${status.stdout}${status.stderr}` },
    ]
    expect(placesWith([...FORMS, ...formsOf('the-former-password')], places)).toEqual([])
  },
)
