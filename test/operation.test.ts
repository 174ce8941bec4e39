import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { sharedFolder } from '#repository/temporary-folder.test-kit.ts'
import { startEndlessSite } from './endless-site.ts'
import { forager, foragerIn } from './forager-process.ts'
import { html, startScriptedSite } from './scripted-site.ts'

const folder = sharedFolder()
const inFolder = (name: string) => join(folder, name)

/** A folder of its own with this config in it. */
function folderWith(name: string, config: unknown): string {
  const dir = inFolder(name)
  mkdirSync(dir)
  const text = typeof config === 'string' ? config : JSON.stringify(config)
  writeFileSync(join(dir, 'forager.config.json'), text)
  return dir
}

describe('settings', () => {
  test('flags win over the config file, and the file over the defaults', async () => {
    using site = await startScriptedSite({ '/': html('<title>Home</title>') })
    const cwd = folderWith('precedence', {
      seeds: ['http://a.test/'],
      budget: 7,
      dir: 'from-config',
      policy: 'bfs',
      identity: { contact: 'me@example.org', userAgent: 'TestBot/2' },
      politeness: { delaySeconds: 0 },
      http: { resolve: [site.resolve] },
    })
    const run = await foragerIn(cwd, 'crawl', '--budget', '3', '--json')
    expect(run.code, run.stderr).toBe(0)
    expect(run.stderr).toMatch(/settings from forager\.config\.json/)
    expect(JSON.parse(run.stdout)).toMatchObject({ budget: 3, policy: 'bfs', dir: 'from-config' })
    expect(site.asked[0].headers['user-agent']).toBe('TestBot/2 (+me@example.org)')
    const status = await foragerIn(cwd, 'status', '--json')
    expect(JSON.parse(status.stdout)).toMatchObject({
      dir: 'from-config',
      spent: expect.any(Number),
    })
  })

  test.each([
    [
      'wrong-value',
      { politeness: { delaySeconds: 'fast' } },
      /politeness\.delaySeconds must be a number of at least 0, not "fast"/,
    ],
    ['unknown-key', { politness: 1, budget: 3 }, /there is no setting "politness"/],
    ['typo', { scope: { maxDeph: 3 } }, /"scope\.maxDeph"; did you mean "scope\.maxDepth"\?/],
    ['no-json', '{ "budget": 3, }', /forager\.config\.json is not valid JSON: .*trailing commas/],
  ])(
    'a mistake in the config file (%s) gets one line and exit code 2',
    async (name, config, message) => {
      const cwd = folderWith(name, config)
      const { code, stderr } = await foragerIn(cwd, 'crawl', 'a.test')
      expect(code).toBe(2)
      expect(stderr).toMatch(message)
      expect(stderr.trimEnd().split('\n').length).toBe(1)
    },
  )

  test('settings come from no file where nobody wants one', async () => {
    const cwd = folderWith('no-config', { dir: 'from-config' })
    const dirOf = async (...flags: string[]) =>
      (await foragerIn(cwd, 'status', ...flags)).stderr.match(/no crawl in (\S+):/)?.[1]
    expect(await dirOf()).toBe('from-config')
    expect(await dirOf('--no-config')).toBe('forager-data')
    expect(await dirOf('--config', '/dev/null')).toBe('forager-data')
  })

  test('a config file that is named must be there', async () => {
    const { code, stderr } = await forager('crawl', '--config', inFolder('none.json'))
    expect(code).toBe(2)
    expect(stderr).toMatch(/--config .*none\.json: there is no such file/)
  })

  test('a live crawl without a contact does not start and leaves nothing behind', async () => {
    const dir = inFolder('no-contact')
    const { code, stderr } = await forager('crawl', 'https://example.org/', '--dir', dir)
    expect(code).toBe(2)
    expect(stderr).toMatch(
      /^forager: live crawls must say whom to write to: add --contact you@example\.org or https:\/\/your\.site\/bot/,
    )
    expect(existsSync(dir)).toBe(false)
  })

  test('include, exclude and depth bound a crawl', async () => {
    using site = await startScriptedSite({
      '/': html('<a href="/in/1">1</a> <a href="/out">out</a>'),
      '/in/1': html('<a href="/in/2">2</a> <a href="/in/print/1">print</a>'),
      '/in/2': html('<a href="/in/3">3</a>'),
    })
    const rules = ['--include', 'a.test/in/*', '--exclude', '*/print/*', '--max-depth', '2']
    const args = ['--dir', inFolder('bounded'), '--resolve', site.resolve, '--delay', '0']
    const { code, stderr } = await forager(
      'crawl',
      'http://a.test/',
      ...args,
      ...rules,
      '--no-sitemaps',
    )
    expect(code, stderr).toBe(0)
    const pages = site.asked.map(({ url }) => url).filter((url) => !/robots|sitemap/.test(url))
    expect(pages.sort()).toEqual(['http://a.test/', 'http://a.test/in/1', 'http://a.test/in/2'])
  })

  test('links out of scope are counted, and an include that matches none is named', async () => {
    using site = await startScriptedSite({
      '/': html('<a href="/one">1</a> <a href="/two">2</a> <a href="http://b.test/">b</a>'),
    })
    const args = ['--dir', inFolder('unmatched'), '--resolve', site.resolve, '--no-sitemaps']
    const rules = ['--include', '/docs/', '--scope', 'host']
    const { stdout, stderr } = await forager('crawl', 'http://a.test/', ...args, ...rules)
    expect(stdout).toMatch(
      /^2 links left alone: not included \(--include\), as http:\/\/a\.test\/one and http:\/\/a\.test\/two$/m,
    )
    expect(stdout).toMatch(
      /^1 link left alone: outside the seeds' host \(--scope\), as http:\/\/b\.test\/$/m,
    )
    const status = await forager('status', '--dir', inFolder('unmatched'))
    expect(status.stdout).toMatch(/^2 links left alone: not included \(--include\), as /m)
    expect(stderr).toMatch(/^no seed matches --include '\/docs\/'/m)
    expect(stderr).toMatch(
      /^nothing has matched --include '\/docs\/' so far: a pattern must match/m,
    )
  })
})

test('what was received is kept as WARC, unless nobody wants it', async () => {
  using site = await startScriptedSite({
    '/': html('<title>Kept for later</title>'),
    '/robots.txt': (_, response) => response.end('User-agent: *\nDisallow: /secret'),
  })
  const warcDir = inFolder('warcs')
  const crawlInto = (dir: string, ...more: string[]) => {
    const args = [
      '--dir',
      inFolder(dir),
      '--resolve',
      site.resolve,
      '--delay',
      '0',
      '--no-sitemaps',
    ]
    return forager('crawl', 'http://a.test/', ...args, '--contact', 'me@example.org', ...more)
  }
  expect((await crawlInto('with-warc', '--warc-dir', warcDir)).code).toBe(0)
  const file = readdirSync(warcDir).find((name) => name.endsWith('.warc.gz'))!
  const text = gunzipSync(readFileSync(join(warcDir, file))).toString('latin1')
  expect(text).toMatch(/WARC-Type: warcinfo[\s\S]*http-header-from: me@example\.org/)
  expect(text).toMatch(/WARC-Type: response[\s\S]*<title>Kept for later<\/title>/)
  expect(text).toMatch(/WARC-Type: request[\s\S]*GET \/ HTTP\/1\.1/)
  expect(text).toMatch(
    /WARC-Target-URI: http:\/\/a\.test\/robots\.txt[\s\S]*Disallow: \/secret[\s\S]*GET \/robots\.txt[\s\S]*purpose: robots/,
  )
  expect((await crawlInto('without-warc', '--no-warc')).code).toBe(0)
  expect(existsSync(join(inFolder('without-warc'), 'warc'))).toBe(false)
})

test('bytes and time are limits like the budget', async () => {
  const site = await startEndlessSite(() => {})
  const crawlInto = async (dir: string, ...more: string[]) => {
    const args = ['--dir', inFolder(dir), '--resolve', site.resolve, '--budget', '100000', '--json']
    const { stdout, stderr } = await forager('crawl', 'http://h0.test/0', ...args, ...more)
    return JSON.parse(stdout || `{"stderr":${JSON.stringify(stderr)}}`)
  }
  const bytes = await crawlInto('few-bytes', '--delay', '0', '--max-bytes', '20kB')
  expect(bytes.end).toBe('byte budget spent')
  expect(bytes.bytes).toBeLessThanOrEqual(20_000)
  expect(bytes.bytes).toBeGreaterThan(15_000)
  const time = await crawlInto('little-time', '--delay', '0.1', '--max-time', '2s')
  expect(time.end).toBe('time is up')
  site.close()
})

test('the log tells the story of a crawl in JSON lines, without credentials', async () => {
  using site = await startScriptedSite({
    '/': html('<a href="/gone">gone</a> <a href="/busy">busy</a>'),
    '/busy': (_, response) => response.writeHead(503, { 'retry-after': '3600' }).end(),
  })
  const log = inFolder('crawl.jsonl')
  const args = ['--dir', inFolder('logged'), '--resolve', site.resolve, '--delay', '0']
  args.push('--log', log, '--log-level', 'debug', '--batch', '1', '--max-time', '20s')
  const { code, stderr } = await forager(
    'crawl',
    'http://u:secret@a.test/',
    ...args,
    '--budget',
    '3',
  )
  expect(code, stderr).toBe(0)
  expect(stderr).toMatch(
    /user name and password in a seed are not sent.*: crawling http:\/\/a\.test\/$/m,
  )
  expect(stderr).not.toContain('secret')
  const text = readFileSync(log, 'utf8')
  expect(text).not.toContain('secret')
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(lines[0]).toMatchObject({ level: 'info', event: 'start', budget: 3 })
  expect(lines.at(-1)).toMatchObject({ level: 'info', event: 'end', spent: 3 })
  for (const line of lines) expect(Date.parse(line.time)).toBeGreaterThan(0)
  const fetches = lines.filter(({ event }) => event === 'fetch')
  expect(fetches.find(({ url }) => url === 'http://a.test/gone')).toMatchObject({
    level: 'debug',
    outcome: 'gone',
    status: 404,
  })
  expect(lines.find(({ event }) => event === 'host-backoff')).toMatchObject({
    level: 'warn',
    host: 'a.test',
    status: 503,
  })
  expect(lines.filter(({ event }) => event === 'cycle').length).toBeGreaterThanOrEqual(2)
})

test('a proxy gets every request, and its password is told to nobody else', async () => {
  const seen: { url?: string; login?: string; auth?: string }[] = []
  const proxy = createServer((request, response) => {
    const { 'proxy-authorization': login, authorization: auth } = request.headers
    seen.push({ url: request.url, login, auth })
    if (request.url?.endsWith('/robots.txt')) response.writeHead(404).end()
    else html('<title>By proxy</title>')(request, response)
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const { port } = proxy.address() as AddressInfo
  const dir = inFolder('proxied')
  const log = inFolder('proxied.jsonl')
  const args = ['--dir', dir, '--log', log, '--delay', '0', '--contact', 'me@example.org']
  args.push('--proxy', `http://me:pass-w0rd@127.0.0.1:${port}`, '--no-sitemaps', '--budget', '1')
  const { code, stdout, stderr } = await forager('crawl', 'http://far.example/', ...args)
  proxy.close()
  expect(code, stderr).toBe(0)
  expect(seen.map(({ url }) => url)).toEqual([
    'http://far.example/robots.txt',
    'http://far.example/',
  ])
  const basic = `Basic ${Buffer.from('me:pass-w0rd').toString('base64')}`
  for (const { login, auth } of seen) expect({ login, auth }).toEqual({ login: basic })
  const kept = readdirSync(join(dir, 'warc')).map((name) => readFileSync(join(dir, 'warc', name)))
  const warc = kept.map((bytes) =>
    (bytes[0] === 0x1f ? gunzipSync(bytes) : bytes).toString('latin1'),
  )
  for (const text of [stdout, stderr, readFileSync(log, 'utf8'), ...warc])
    expect(text.includes('pass-w0rd') || text.includes(basic)).toBe(false)
})

test('a host that asked for rest gets it after a restart too, and is not asked for robots.txt again', async () => {
  using site = await startScriptedSite({
    '/': (_, response) => response.writeHead(503, { 'retry-after': '3600' }).end(),
    '/other': html('<title>Other</title>'),
  })
  const args = ['--dir', inFolder('rested'), '--resolve', site.resolve, '--delay', '0', '--json']
  await forager('crawl', 'http://a.test/', ...args, '--no-sitemaps')
  const before = site.asked.map(({ url }) => url)
  expect(before).toEqual(['http://a.test/robots.txt', 'http://a.test/'])
  const more = ['http://a.test/other', 'http://b.test/other']
  const { stdout } = await forager('crawl', ...more, ...args, '--no-sitemaps')
  expect(JSON.parse(stdout).outcomes).toMatchObject({ page: 1 })
  expect(site.asked.slice(2).map(({ url }) => url)).toEqual([
    'http://b.test/robots.txt',
    'http://b.test/other',
  ])
})
