import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '#repository/temporary-folder.test-kit.ts'
import { openCrawl } from '../src/forager.ts'
import { basicOf, writeConfig } from './config-folder.ts'
import { commandsOf, configOf, shell } from './followed-page.ts'
import { foragerIn } from './forager-process.ts'
import { html, startScriptedSite } from './scripted-site.ts'

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
    const folder = temporaryFolder()
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
    const folder = temporaryFolder()
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
    ...{
      dir: join(temporaryFolder(), 'data'),
      seeds: ['https://a.example/'],
      resolve: [site.resolve],
    },
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

test('a crawl warns of files with secrets that others can read, and of sites that nothing is known of', async () => {
  using site = await startScriptedSite({ '/': html('<title>A</title>') })
  const folder = temporaryFolder()
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
