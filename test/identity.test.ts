import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { RFC_KEY_JWK, RFC_KEY_PEM } from '#fetch/signing/vectors.test-kit.ts'
import { verifiedRequest } from '#fetch/signing/verifier.test-kit.ts'
import { isThorough } from '#numeric/cases.test-kit.ts'
import { temporaryFolder } from '#repository/temporary-folder.test-kit.ts'
import { commandsOf, configOf, shell } from './followed-page.ts'
import { foragerIn, startForager } from './forager-process.ts'
import { html, startScriptedSite } from './scripted-site.ts'
import { filesIn, formsOf, placesWith, tablesIn } from './secret-search.ts'

const DIRECTORY = 'forager-identity/public/.well-known/http-message-signatures-directory'
const page = readFileSync('docs/how-to/prove-who-you-are.md', 'utf8')

const SITE = {
  '/': html('<title>Trails</title><a href="/a">a trail</a> <a href="/b">another trail</a>'),
  '/a': html('<title>A</title>stony'),
  '/b': html('<title>B</title>steep'),
}

test.runIf(isThorough)(
  'the how-to page can be followed, and what is sent verifies by the directory that it makes',
  async () => {
    using site = await startScriptedSite(SITE)
    const folder = temporaryFolder()
    const config = JSON.parse(configOf(page))
    const here = { ...config, http: { resolve: [site.resolve] }, politeness: { delaySeconds: 0 } }
    writeFileSync(join(folder, 'forager.config.json'), JSON.stringify(here))
    const directories: string[] = []
    for (const command of commandsOf(page)) {
      const { code, stderr } = await shell(command, folder)
      expect(code, `${command}\n${stderr}`).toBe(0)
      directories.push(readFileSync(join(folder, DIRECTORY), 'utf8'))
    }
    expect(site.asked.map(({ url }) => new URL(url).pathname)).toEqual(
      expect.arrayContaining(['/robots.txt', '/', '/a', '/b']),
    )
    for (const { url, headers } of site.asked) {
      const { host, pathname: path } = new URL(url)
      const { agent } = await verifiedRequest({ host, path, headers }, directories[0])
      expect(agent).toBe('sig1="https://bot.example/.well-known/http-message-signatures-directory"')
    }
    const keyIds = directories.map((text) => JSON.parse(text).keys.map(({ kid }: Kid) => kid))
    const [made, , , afterRotation, shown, replaced] = keyIds
    expect([made.length, afterRotation.length, replaced.length]).toEqual([1, 2, 1])
    expect(afterRotation).toContain(made[0])
    expect(shown).toEqual(afterRotation)
    expect(afterRotation).not.toContain(replaced[0])
  },
)

test('a key that is rotated amid a crawl signs from then on, and the crawl goes on', async () => {
  const folder = temporaryFolder()
  await foragerIn(folder, 'identity', 'init', '--agent', 'https://bot.example', ...CONTACT)
  using site = await startScriptedSite({
    ...SITE,
    '/': async (request, response) => {
      await foragerIn(folder, 'identity', 'rotate', '--at-once')
      SITE['/'](request, response)
    },
  })
  const identity = ['--identity-key', 'forager-identity/key.json']
  const agent = ['--identity-agent', 'https://bot.example', ...CONTACT]
  const more = ['--resolve', site.resolve, '--delay', '0', '--json']
  const { ended } = startForager(
    ['crawl', 'http://a.example/', ...identity, ...agent, ...more],
    folder,
  )
  const { code, stderr } = await ended
  expect(code, stderr).toBe(0)
  const keys = readFileSync(join(folder, DIRECTORY), 'utf8')
  const keyIds = []
  for (const { url, headers } of site.asked) {
    const { host, pathname: path } = new URL(url)
    keyIds.push((await verifiedRequest({ host, path, headers }, keys)).keyid)
  }
  const [old, next] = JSON.parse(keys).keys.map(({ kid }: Kid) => kid)
  const before = site.asked.findIndex(({ url }) => url === 'http://a.example/') + 1
  expect(keyIds.slice(0, before)).toEqual(Array(before).fill(old))
  expect(keyIds.slice(before)).toEqual(Array(keyIds.length - before).fill(next))
  expect(keyIds).toContain(next)
})

const CONTACT = ['--contact', 'you@example.org']

interface Kid {
  readonly kid: string
}

test('the key is for its owner to read, and is never replaced unasked', async () => {
  const folder = temporaryFolder()
  const init = ['identity', 'init', '--agent', 'https://bot.example', '--contact', 'me@example.org']
  expect(await foragerIn(folder, ...init)).toMatchObject({ code: 0, stderr: '' })
  const keyFile = join(folder, 'forager-identity/key.json')
  const before = readFileSync(keyFile, 'utf8')
  expect(statSync(keyFile).mode & 0o777).toBe(0o600)
  expect(await foragerIn(folder, ...init)).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/is there already.*--force/),
  })
  expect(readFileSync(keyFile, 'utf8')).toBe(before)
  expect((await foragerIn(folder, 'identity', 'rotate', '--at-once')).code).toBe(0)
  expect(statSync(keyFile).mode & 0o777).toBe(0o600)
  const { stdout } = await foragerIn(folder, 'identity', 'show', '--json')
  const { keys, isCurrent } = JSON.parse(stdout)
  expect(isCurrent).toBe(true)
  expect(keys.map(({ signs }: { signs: boolean }) => signs)).toEqual([false, true])
})

test('the page for site owners says who crawls, what for and how to be left out, whatever it is told', async () => {
  const folder = temporaryFolder()
  const flags = ['--contact', 'https://owner.example/?a=1&b', '--user-agent', 'TrailBot/2.0']
  const purpose = ['--purpose', '<b>trails</b> & "more"']
  const agent = ['--agent', 'https://bot.example/']
  await foragerIn(folder, 'identity', 'init', ...agent, ...flags, ...purpose)
  const text = readFileSync(join(folder, 'forager-identity/public/index.html'), 'utf8')
  expect(text).toContain('&lt;b&gt;trails&lt;/b&gt; &amp; &quot;more&quot;')
  expect(text).toContain('href="https://owner.example/?a=1&amp;b"')
  expect(text).toContain('User-agent: trailbot\nDisallow: /')
  expect(text).toContain('https://bot.example/.well-known/http-message-signatures-directory')
})

test.each([
  [['identity', 'init', '--agent', 'https://bot.example'], /add --contact/],
  [['identity', 'init', '--agent', 'http://bot.example', '--contact', 'a@b.example'], /--agent/],
  [['identity', 'rotate'], /no forager-identity\/key\.json: forager identity init/],
  [['identity', 'show', '--folder', 'elsewhere'], /no elsewhere\/key\.json/],
  [
    ['crawl', '--identity-key', 'nowhere.json', '--identity-agent', 'https://bot.example'],
    /no such file/,
  ],
  [['crawl', '--identity-sign', 'always'], /needs a key: name its file with --identity-key/],
  [['crawl', '--identity-agent', 'https://bot.example/path'], /--identity-agent/],
  [['crawl', '--identity-key', 'forager.key'], /add --identity-agent https:\/\/bot\.example/],
])('%j is a mistake that is explained', async (args, words) => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'forager.key'), RFC_KEY_PEM)
  const more = args[0] === 'crawl' ? ['http://a.example/', '--resolve', '*=127.0.0.1:9'] : []
  const { code, stderr } = await foragerIn(folder, ...args, ...more)
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(words) })
})

/** A private key in the forms in which somebody might write it down. */
const SECRET = Buffer.from(RFC_KEY_JWK.d, 'base64url')
const FORMS = [...formsOf(SECRET), Buffer.from(RFC_KEY_PEM.split('\n')[1])]

test.each(['a file', 'an environment variable'])(
  'the private key from %s is nowhere to be found after a crawl',
  async (kind) => {
    const metricsRead = Promise.withResolvers<void>()
    using site = await startScriptedSite({
      ...SITE,
      '/a': async (request, response) => {
        await metricsRead.promise
        SITE['/a'](request, response)
      },
      '/b': (_, response) =>
        void response.writeHead(403, { 'accept-signature': 'x=("@path");nonce="7"' }).end('no'),
    })
    const folder = temporaryFolder()
    const keyFile = join(temporaryFolder(), 'key.json')
    writeFileSync(keyFile, JSON.stringify(RFC_KEY_JWK), { mode: 0o600 })
    const key = kind === 'a file' ? ['--identity-key', keyFile] : []
    const { child, ended } = startForager(
      [
        ...['crawl', 'http://a.example/', '--resolve', site.resolve, '--delay', '0', '--json'],
        ...['--identity-agent', 'https://bot.example', ...key, '--metrics-port', '0'],
        ...['--log', 'crawl.jsonl', '--log-level', 'debug'],
      ],
      folder,
      undefined,
      { FORAGER_DEBUG: '1', ...(kind !== 'a file' && { FORAGER_IDENTITY_KEY: RFC_KEY_PEM }) },
    )
    const metricsUrl = await new Promise<string>((resolve) =>
      child.stderr!.on('data', (data) => {
        const [url] = /http:\S+\/metrics/.exec(String(data)) ?? []
        if (url) resolve(url)
      }),
    )
    const metrics = await (await fetch(metricsUrl)).text()
    metricsRead.resolve()
    const { code, stdout, stderr } = await ended
    expect(code, stderr).toBe(0)
    expect(site.asked.every(({ headers }) => 'signature' in headers)).toBe(true)
    expect(JSON.parse(stdout).refusing).toEqual([
      { host: 'a.example', urls: 1, status: 403, reason: 'asks for a signature' },
    ])
    const files = filesIn(folder)
    const tables = await tablesIn(join(folder, 'forager-data'))
    expect(tables.length).toBeGreaterThan(5)
    const all = [
      ...files,
      ...tables,
      { name: 'metrics', bytes: metrics },
      { name: 'stdout', bytes: stdout },
      { name: 'stderr', bytes: stderr },
      { name: 'requests', bytes: JSON.stringify(site.asked) },
    ]
    expect(placesWith(FORMS, all)).toEqual([])
    const [keyPlace] = [{ name: 'the key file', bytes: readFileSync(keyFile) }]
    expect(placesWith(FORMS, [keyPlace]), 'it would be found').toHaveLength(1)
    const warc = files.find(({ name }) => name.endsWith('.warc.gz'))!
    expect(String(warc.bytes), 'signatures are kept as they were sent').toContain(
      'signature: sig1=:',
    )
    expect(site.asked.filter(({ url }) => url.endsWith('/b'))).toHaveLength(2)
    expect(readFileSync(join(folder, 'crawl.jsonl'), 'utf8')).toMatch(
      /"event":"host-trouble","host":"a.example","reason":"asks for a signature","status":403/,
    )
    const status = await foragerIn(folder, 'status')
    expect(status.stdout).toContain(
      'a.example turned us away from 1 URL (status 403, asks for a signature): sign requests',
    )
  },
)

test.each([
  ['a damaged file', (file: string) => ['--identity-key', file]],
  ['the key itself in place of a file', () => ['--identity-key', JSON.stringify(RFC_KEY_JWK)]],
])('%s is complained of without a word of it', async (_, flags) => {
  const folder = temporaryFolder()
  const file = join(folder, 'key.json')
  writeFileSync(file, `${JSON.stringify(RFC_KEY_JWK)}}`)
  const args = [...flags(file), '--identity-agent', 'https://bot.example', '--log', 'crawl.jsonl']
  const { code, stderr, stdout } = await foragerIn(
    folder,
    ...['crawl', 'http://a.example/', '--resolve', '*=127.0.0.1:9', ...args],
  )
  expect(code).toBe(2)
  expect(stderr).toMatch(/--identity-key/)
  const logged = readFileSync(join(folder, 'crawl.jsonl'), 'utf8')
  const said = [stderr, stdout, logged].map((bytes) => ({ name: bytes, bytes }))
  expect(placesWith(FORMS, said)).toEqual([])
})
