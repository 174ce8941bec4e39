import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { isThorough } from '#numeric/cases.test-kit.ts'
import { readLog } from '#repository/state/take-up-log.ts'
import { temporaryFolder } from '#repository/temporary-folder.test-kit.ts'
import { commandsOf, shell } from './followed-page.ts'
import { startForager } from './forager-process.ts'
import { html, startScriptedSite } from './scripted-site.ts'
import { startHub } from './websub-hub.ts'

const KEY = 'b1946ac92492'
const FEED = 'http://example.org/feed'
const PATIENCE = { timeout: 60_000, interval: 100 }

let root: string
beforeEach(() => {
  root = temporaryFolder()
})

const plain =
  (text: string, type: string) => (_: unknown, response: import('node:http').ServerResponse) =>
    void response.writeHead(200, { 'content-type': type }).end(text)
const atom = (inner: string) => `<feed xmlns="http://www.w3.org/2005/Atom">${inner}</feed>`

/** A site whose start page links to a feed, with pages that nobody links to. */
function pages() {
  const hub = '<link rel="hub" href="https://hub.test/"/>'
  const unlinked = ['new', 'changed', 'entry', 'forged', 'unproved']
  return {
    '/': html(
      '<title>Start</title><link rel="alternate" type="application/atom+xml" href="/feed"><p>On herons.',
    ),
    '/feed': plain(atom(`${hub}<link rel="self" href="${FEED}"/>`), 'application/atom+xml'),
    [`/${KEY}.txt`]: plain(KEY, 'text/plain'),
    '/wrong-key-0123.txt': plain('no', 'text/plain'),
    ...Object.fromEntries(
      unlinked.map((name) => [`/${name}`, html(`<title>${name}</title><p>A ${name} page.`)]),
    ),
  }
}

/** A service that listens, as a process of its own. */
async function startRun(flags: readonly string[]) {
  const { child, ended } = startForager(['run', ...flags, '--no-config'], root)
  onTestFinished(() => void child.kill('SIGKILL'))
  let said = ''
  child.stderr?.on('data', (data) => {
    said += data
  })
  const port = await vi.waitFor(() => {
    const found = /listening to sites: http:\/\/127\.0\.0\.1:(\d+)/.exec(said)?.[1]
    expect(found, said).toBeDefined()
    return Number(found)
  }, PATIENCE)
  return { port, child, ended }
}

test.runIf(isThorough)(
  'the how-to page can be followed: a site proves its key and is believed, a hub delivers news of a feed, and forgers get nothing',
  async () => {
    using site = await startScriptedSite(pages())
    const found = Promise.withResolvers<number>()
    using hub = await startHub(async (callback) =>
      callback.replace('https://bot.example', `http://127.0.0.1:${await found.promise}`),
    )
    const page = readFileSync('docs/how-to/hear-of-changes.md', 'utf8')
    const [run, ...tell] = commandsOf(page)
    const flags = run
      .replace('npx forager run ', '')
      .replace('https://example.org/', 'http://example.org/')
      .replace('8090', '0')
      .split(' ')
    const resolve = ['--resolve', `hub.test=127.0.0.1:${hub.port}`, '--resolve', site.resolve]
    const service = await startRun([...flags, ...resolve, '--delay', '0'])
    const { port } = service
    found.resolve(port)
    const asked = () => site.asked.map(({ url }) => new URL(url).pathname)
    const isAsked = (path: string) => vi.waitFor(() => expect(asked()).toContain(path), PATIENCE)

    expect(tell.length).toBe(2)
    for (const command of tell) {
      const line = command
        .replaceAll('8090', `${port}`)
        .replaceAll('https://example', 'http://example')
      const { code, stdout, stderr } = await shell(line, root)
      expect(code, stderr).toBe(0)
      expect(stdout).toMatch(/looked for|taken in/)
    }
    for (const path of [`/${KEY}.txt`, '/new', '/changed']) await isAsked(path)

    await isAsked('/feed')
    await vi.waitFor(() => expect(hub.asked.length).toBe(1), PATIENCE)
    await vi.waitFor(() => expect(hub.subscribers.has(FEED)).toBe(true), PATIENCE)
    const entry = (path: string) =>
      `<entry><title>t</title><link href="http://example.org${path}"/></entry>`
    const forged = { body: atom(entry('/forged')), signature: `sha256=${'0'.repeat(64)}` }
    expect(await hub.distribute(FEED, forged)).toBe(202)
    expect(await hub.distribute(FEED, { body: atom(entry('/entry')) })).toBe(202)
    await isAsked('/entry')

    const submit = async (key: string, url: string) => {
      const query = new URLSearchParams({ key, url })
      return (await fetch(`http://127.0.0.1:${port}/indexnow?${query}`)).status
    }
    expect(await submit('wrong-key-0123', 'http://example.org/unproved')).toBe(202)
    await isAsked('/wrong-key-0123.txt')
    await vi.waitFor(
      async () => expect(await submit('wrong-key-0123', 'http://example.org/unproved')).toBe(403),
      PATIENCE,
    )
    expect(await submit(KEY, 'http://example.org/new')).toBe(200)
    expect(await submit(KEY, 'http://elsewhere.test/')).toBe(422)
    service.child.kill('SIGTERM')
    expect((await service.ended).code).toBe(0)
    expect(asked()).not.toContain('/forged')
    expect(asked()).not.toContain('/unproved')
    const told: string[] = []
    for await (const one of readLog(join(root, 'mycrawl')))
      if (one.kind === 'told') told.push(...one.told.map(({ by, url }) => `${by} ${url}`))
    expect(told).toContain('indexnow http://example.org/new')
    expect(told).toContain('websub http://example.org/entry')
    const { stdout } = await shell('npx forager search page --dir mycrawl', root)
    expect(stdout).toMatch(/changed/)
    expect(stdout).not.toMatch(KEY)
  },
)

test.runIf(isThorough)('hostile senders cost little and get nothing', async () => {
  using site = await startScriptedSite(pages())
  const flags = [
    'http://example.org/',
    '--contact',
    'me@example.org',
    '--dir',
    'c',
    '--hear-port',
    '0',
  ]
  const { port, child, ended } = await startRun([...flags, '--resolve', site.resolve])
  const at = `http://127.0.0.1:${port}`
  const post = (path: string, body: string) => fetch(`${at}${path}`, { method: 'POST', body })
  expect((await post('/indexnow', '{')).status).toBe(400)
  expect((await post('/indexnow', '[[[[')).status).toBe(400)
  expect(
    (await post('/indexnow', 'x'.repeat(5 * 1024 * 1024)).catch(() => ({ status: 413 }))).status,
  ).toBe(413)
  expect((await post(`/websub/${'0'.repeat(32)}`, '')).status).toBe(404)
  expect((await fetch(`${at}/elsewhere`)).status).toBe(404)
  const statuses = await Promise.all(Array.from({ length: 60 }, () => fetch(`${at}/indexnow`)))
  expect(statuses.some(({ status }) => status === 429)).toBe(true)
  child.kill('SIGTERM')
  expect((await ended).code).toBe(0)
})
