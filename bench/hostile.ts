import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { benchmark } from './harness/benchmark.ts'
import { rounded } from './harness/cost.ts'
import { hostileAddress, hostileHosts } from './hostile-hosts.ts'
import { slowestDocument } from './slowest-document.ts'

const here = (file: string) => join(import.meta.dirname, file)
const FORAGER = here('../bin/forager.js')

/** What must hold, beside a crawl of the same healthy hosts alone. */
const LEAST_SPEED = 0.9
const MOST_MEMORY = 1.5
const MOST_MS_A_DOCUMENT = 500

const FLAGS = { hosts: 60, pages: 40, times: 1, 'delay-ms': 1000, minutes: 5 }

export default benchmark({
  about: 'Crawls healthy hosts alone, then among hostile ones of every kind: what they lose by it',
  flags: FLAGS,
  run,
})

/** Each host is at an address of its own; servers and crawl, the command itself, are processes of their own. */
async function run(flags: typeof FLAGS): Promise<object> {
  const healthy = { hosts: flags.hosts, pages: flags.pages }
  const options = { delaySeconds: flags['delay-ms'] / 1000, minutes: flags.minutes }
  const alone = await crawlOnce(healthy, 0, options)
  const among = await crawlOnce(healthy, flags.times, options)
  const slowest = slowestDocument()
  const speed = rounded(among.pagesPerSecond / alone.pagesPerSecond)
  const memory = rounded(among.peakMb / alone.peakMb)
  const ok =
    among.missing === 0 &&
    among.hasEnded &&
    speed >= LEAST_SPEED &&
    memory <= MOST_MEMORY &&
    slowest.ms <= MOST_MS_A_DOCUMENT
  if (!ok) process.exitCode = 1
  return {
    ok,
    limits: { speed: LEAST_SPEED, memory: MOST_MEMORY, documentMs: MOST_MS_A_DOCUMENT },
    speed,
    memory,
    slowestDocument: slowest,
    hostileHosts: hostileHosts(flags.times).length,
    alone,
    among,
  }
}

interface HealthyWeb {
  readonly hosts: number
  readonly pages: number
}

interface CrawlRun {
  readonly pagesPerSecond: number
  /** Healthy pages that nobody asked for. */
  readonly missing: number
  readonly longestGapMs: number
  readonly longestBlockMs: number
  readonly peakMb: number
  readonly cpuSeconds: number
  /** From SIGTERM, which is sent when all healthy pages were fetched. */
  readonly secondsToStop: number
  /** With exit code 0, and by itself or by that signal. */
  readonly hasEnded: boolean
}

/** One crawl of the healthy hosts, beside every kind of hostile host so many times. */
async function crawlOnce(
  web: HealthyWeb,
  times: number,
  { delaySeconds, minutes }: { delaySeconds: number; minutes: number },
): Promise<CrawlRun> {
  const dir = mkdtempSync(join(tmpdir(), 'forager-bench-'))
  const healthy = fork(here('healthy-server.ts'), [String(web.hosts), String(web.pages)])
  const hostile = fork(here('hostile-server.ts'), [String(times)])
  try {
    const requests: Request[] = []
    const ports = await portsOf(healthy)
    const hostilePorts = await portsOf(hostile)
    const places = [
      ...ports.map((port, i) => [`www.healthy-${i}.test`, `127.1.0.${i + 1}:${port}`]),
      ...hostilePorts.map((port, i) => [`www.hostile-${i}.test`, `${hostileAddress(i)}:${port}`]),
    ]
    const crawl = startCrawl(dir, places, web, hostilePorts.length, delaySeconds)
    const allFetched = new Promise<void>((resolve) => {
      healthy.on('message', (request: Request) => {
        requests.push(request)
        if (requests.length === web.hosts * web.pages) resolve()
      })
    })
    const timer = AbortSignal.timeout(minutes * 60_000)
    await Promise.race([allFetched, once(crawl.child, 'exit'), once(timer, 'abort')])
    const toldAt = performance.now()
    crawl.child.kill('SIGTERM')
    const killer = setTimeout(() => crawl.child.kill('SIGKILL'), 60_000)
    const usage = await crawl.ended
    clearTimeout(killer)
    return {
      ...speedOf(requests, web),
      ...usage,
      secondsToStop: rounded((performance.now() - toldAt) / 1000),
      hasEnded: crawl.child.exitCode === 0,
    }
  } finally {
    for (const server of [healthy, hostile]) server.kill('SIGKILL')
    rmSync(dir, { recursive: true, force: true })
  }
}

/** A page that a healthy host was asked for, and when, in milliseconds. */
interface Request {
  readonly host: number
  readonly page: number
  readonly at: number
}

function speedOf(requests: readonly Request[], { hosts, pages }: HealthyWeb) {
  const times = requests.map(({ at }) => at).sort((a, b) => a - b)
  const gaps = times.slice(1).map((at, i) => at - times[i])
  const asked = new Set(requests.map(({ host, page }) => `${host}/${page}`))
  const seconds = ((times.at(-1) ?? 0) - (times[0] ?? 0)) / 1000
  return {
    pagesPerSecond: rounded(asked.size / seconds),
    missing: hosts * pages - asked.size,
    longestGapMs: Math.round(Math.max(...gaps)),
  }
}

async function portsOf(server: ChildProcess): Promise<number[]> {
  const left = once(server, 'exit').then(() => {
    throw new Error('a server ended before it served')
  })
  const [{ ports }] = await Promise.race([once(server, 'message'), left])
  return ports
}

/** Starts the command with all hosts as seeds; `ended` tells what it used. */
function startCrawl(
  dir: string,
  places: readonly (readonly string[])[],
  { hosts, pages }: HealthyWeb,
  hostileCount: number,
  delaySeconds: number,
) {
  const seeds = places.map(([name]) => `http://${name}/${name.startsWith('www.healthy') ? 0 : ''}`)
  const budget = hosts * (pages + 1) + 20 * hostileCount
  const flags = [
    ...places.flatMap(([name, place]) => ['--resolve', `${name}=${place}`]),
    ...['--resolve', '*=127.3.0.1:1', '--delay', String(delaySeconds), '--budget', String(budget)],
    // Plans hold all that is known: what hosts do to each other is measured, not how plans divide.
    ...['--batch', '20000', '--dir', dir, '--log-level', 'error', '--json'],
  ]
  const child = spawn(
    process.execPath,
    ['--import', here('harness/report-usage.ts'), FORAGER, 'crawl', ...seeds, ...flags],
    { stdio: ['ignore', 'ignore', 'pipe', 'pipe'] },
  )
  const ended = Promise.all([
    text(child.stdio[3] as Readable),
    text(child.stderr as Readable),
    once(child, 'exit'),
  ]).then(([usage, complaints]) => {
    if (usage === '') throw new Error(`the crawl left without a word: ${complaints}`)
    const { rssMb, cpuSeconds, longestBlockMs } = JSON.parse(usage)
    return { peakMb: rssMb, cpuSeconds: rounded(cpuSeconds), longestBlockMs }
  })
  return { child, ended }
}
