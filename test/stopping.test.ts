import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { firstOf, isThorough } from '#numeric/cases.test-kit.ts'
import { sharedFolder } from '#repository/temporary-folder.test-kit.ts'
import { forager, startForager } from './forager-process.ts'
import { modelWebFolder } from './model-web-folder.ts'
import { html, startScriptedSite } from './scripted-site.ts'

const folder = sharedFolder()
const { archive, inFolder } = modelWebFolder(3)

/** Far less than the minutes that requests may take here, far more than a slow machine needs to end. */
const SOON_MS = 10_000
const PATIENT = ['--first-byte-timeout', '120', '--total-timeout', '120']

type Answer = (request: IncomingMessage, response: ServerResponse) => void

const silence: Answer = () => {}
const drip: Answer = (_, response) => {
  response.writeHead(200, { 'content-type': 'text/html' })
  const dripping = setInterval(() => response.write('<p>and on'), 20)
  response.on('close', () => clearInterval(dripping))
}

/** A home page, and what it links to on hosts of their own. */
async function startSlowSite(robots: Answer, page: Answer) {
  const links = [1, 2, 3].map((n) => `<a href="http://slow${n}.test/slow">slow</a>`)
  return startScriptedSite({
    '/': html(`<title>Home</title>${links.join(' ')}`),
    '/slow': page,
    '/robots.txt': (request, response) => {
      if (request.headers.host?.startsWith('slow')) robots(request, response)
      else response.writeHead(404).end()
    },
  })
}

/** Waits until the last of the slow hosts is asked for a path, for the first time or once more. */
async function asked(site: Awaited<ReturnType<typeof startSlowSite>>, path: string, times = 1) {
  const isIt = ({ url }: { url: string }) => url === `http://slow3.test${path}`
  await until(() => site.asked.filter(isIt).length >= times)
}

const noRobots: Answer = (_, response) => void response.writeHead(404).end()

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 20))
}

function startCrawl(site: { resolve: string }, dir: string, ...more: string[]) {
  const flags = ['--resolve', site.resolve, '--delay', '0', '--no-sitemaps', '--policy', 'bfs']
  const args = ['crawl', 'http://a.test/', '--dir', join(folder, dir), ...flags, ...PATIENT]
  return startForager([...args, '--json', ...more])
}

/** Sends a signal and gives how long the process took to end. */
async function msToEnd(child: ChildProcess, signal: NodeJS.Signals): Promise<number> {
  const closed = once(child, 'close')
  const from = performance.now()
  child.kill(signal)
  await closed
  return performance.now() - from
}

type SlowCase = [string, NodeJS.Signals, Answer, Answer, path: string, spent: number]
const SLOW: readonly SlowCase[] = [
  ['a body that drips', 'SIGTERM', noRobots, drip, '/slow', 4],
  ['a robots.txt that does not come', 'SIGINT', silence, silence, '/robots.txt', 1],
  ['an answer that does not come', 'SIGINT', noRobots, silence, '/slow', 4],
  ['a robots.txt that drips', 'SIGTERM', drip, silence, '/robots.txt', 1],
]

test.each(firstOf(1, SLOW))(
  '%s does not keep a crawl from ending; what was sent is paid for, and asked for again',
  async (what, signal, robots, page, path, spent) => {
    using site = await startSlowSite(robots, page)
    const { child, ended } = startCrawl(site, what)
    await asked(site, path)
    expect(await msToEnd(child, signal)).toBeLessThan(SOON_MS)
    const { code, stdout, stderr } = await ended
    expect(code, stderr).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ end: 'stopped', spent, waiting: 3 })
    const again = startCrawl(site, what)
    await asked(site, path, 2)
    expect(await msToEnd(again.child, signal)).toBeLessThan(SOON_MS)
  },
)

test.runIf(isThorough)('answers that come within a moment of the signal are kept', async () => {
  const answers: (() => void)[] = []
  const late: Answer = (request, response) =>
    void answers.push(() => html('<title>Late</title>late')(request, response))
  using site = await startSlowSite(noRobots, late)
  const { child, ended } = startCrawl(site, 'late')
  child.stderr?.on('data', (text) => {
    if (String(text).includes('stopping')) answers[0]()
  })
  await until(() => answers.length === 3)
  child.kill('SIGTERM')
  expect(JSON.parse((await ended).stdout)).toMatchObject({
    end: 'stopped',
    outcomes: { page: 2, failed: 2 },
  })
})

test('a paused crawl with answers outstanding ends, and forager stop is as good as a signal', async () => {
  using site = await startSlowSite(noRobots, silence)
  const { ended } = startCrawl(site, 'paused')
  const dir = join(folder, 'paused')
  await asked(site, '/slow')
  expect((await forager('pause', '--dir', dir)).code).toBe(0)
  const from = performance.now()
  const stop = await forager('stop', '--dir', dir)
  expect(stop.stdout).toMatch(/stopped/)
  expect(JSON.parse((await ended).stdout)).toMatchObject({ end: 'stopped' })
  expect(performance.now() - from).toBeLessThan(SOON_MS)
})

test.runIf(isThorough)(
  'a crawl that is stopped before its first answer has not failed',
  async () => {
    using site = await startScriptedSite({ '/': silence })
    const { child, ended } = startCrawl(site, 'first')
    await until(() => site.asked.some(({ url }) => url === 'http://a.test/'))
    child.kill('SIGINT')
    const { code, stdout } = await ended
    expect({ code, ...JSON.parse(stdout) }).toMatchObject({ code: 0, end: 'stopped', spent: 1 })
  },
)

test('a second signal quits at once', async () => {
  using site = await startSlowSite(noRobots, silence)
  const { child, ended } = startCrawl(site, 'twice')
  await asked(site, '/slow')
  child.stderr?.on('data', (text) => {
    if (String(text).includes('stopping')) child.kill('SIGTERM')
  })
  child.kill('SIGTERM')
  expect(await ended).toMatchObject({ code: 130, stdout: '' })
})

test.runIf(isThorough)('time is up also while nobody answers', async () => {
  using site = await startSlowSite(noRobots, silence)
  const from = performance.now()
  const { ended } = startCrawl(site, 'time', '--max-time', '4s')
  expect(JSON.parse((await ended).stdout)).toMatchObject({ end: 'time is up' })
  expect(performance.now() - from).toBeLessThan(4_000 + SOON_MS)
})

test.runIf(isThorough)('a crawl that waits for a directory ends', async () => {
  using site = await startSlowSite(noRobots, silence)
  const dir = join(folder, 'waits')
  await forager('crawl', '--archive', archive, '--dir', dir, '--budget', '2')
  // Holds the tables without being a crawl.
  const holder = spawn(process.execPath, [
    '--input-type=module',
    '--eval',
    `import { CrawlStore } from '#repository/state/crawl-store.ts'
     await CrawlStore.open(${JSON.stringify(dir)})
     console.log('open')
     setInterval(() => {}, 1000)`,
  ])
  await once(holder.stdout, 'data')
  const { child } = startCrawl(site, 'waits')
  await once(child.stderr!, 'data')
  expect(await msToEnd(child, 'SIGTERM')).toBeLessThan(SOON_MS)
  holder.kill()
})

const SERVERS: [string, string[]][] = [
  ['serve', ['serve', '--port', '0', '--dir', inFolder('served'), '--json']],
  ['lab serve', ['lab', 'serve', archive, '--json']],
]

test.each(firstOf(1, SERVERS))(
  '%s ends, also while a client is in the middle of a request',
  async (name, args) => {
    if (name === 'serve')
      await forager('crawl', '--archive', archive, '--dir', inFolder('served'), '--budget', '5')
    const { child } = startForager(args)
    const [told] = await once(child.stdout!, 'data')
    const socket = connect(JSON.parse(String(told)).port, '127.0.0.1')
    socket.on('error', () => {})
    await once(socket, 'connect')
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n')
    expect(await msToEnd(child, 'SIGTERM')).toBeLessThan(SOON_MS)
    socket.destroy()
  },
)
