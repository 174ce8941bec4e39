import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { rounded } from '../harness/cost.ts'
import { UsageReport } from '../harness/usage-report.ts'

const here = (file: string) => join(import.meta.dirname, file)
const FORAGER = here('../../bin/forager.js')

/** Hosts that behave, and how many pages each has. */
export interface HealthyWeb {
  readonly hosts: number
  readonly pages: number
}

export interface CrawlRun {
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
export async function crawlOnce(
  web: HealthyWeb,
  times: number,
  { delaySeconds, minutes }: { delaySeconds: number; minutes: number },
): Promise<CrawlRun> {
  const dir = mkdtempSync(join(tmpdir(), 'forager-bench-'))
  const healthy = fork(here('healthy-server.ts'), [String(web.hosts), String(web.pages)])
  const hostile = fork(here('hostile-server.ts'), [String(times)])
  try {
    const requests: Request[] = []
    const good = await placesOf(healthy)
    const bad = await placesOf(hostile)
    const trusted = join(dir, 'trusted.pem')
    writeFileSync(trusted, bad.cert ?? '')
    const crawl = startCrawl(join(dir, 'crawl'), [...good.places, ...bad.places], trusted, {
      budget: web.hosts * (web.pages + 1) + 20 * bad.places.length,
      delaySeconds,
    })
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

interface Places {
  /** Name of each host, and where it is, as `--resolve` has it. */
  readonly places: readonly (readonly [name: string, place: string])[]
  readonly cert?: string
}

async function placesOf(server: ChildProcess): Promise<Places> {
  const left = once(server, 'exit').then(() => {
    throw new Error('a server ended before it served')
  })
  const [places] = await Promise.race([once(server, 'message'), left])
  return places
}

/** Starts the command with all hosts as seeds; `ended` tells what it used. */
function startCrawl(
  dir: string,
  places: Places['places'],
  trusted: string,
  { budget, delaySeconds }: { budget: number; delaySeconds: number },
) {
  const flags = [
    ...places.flatMap(([name, place]) => ['--resolve', `${name}=${place}`]),
    ...['--resolve', '*=127.3.0.1:1', '--delay', String(delaySeconds), '--budget', String(budget)],
    ...['--dir', dir, '--log-level', 'error', '--json'],
  ]
  const report = new UsageReport()
  const child = spawn(
    process.execPath,
    [...report.flags, FORAGER, 'crawl', ...places.map(seedOf), ...flags],
    {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...report.env, NODE_EXTRA_CA_CERTS: trusted },
    },
  )
  const ended = Promise.all([text(child.stderr as Readable), once(child, 'exit')]).then(
    ([complaints]) => {
      const usage = report.take(child.pid)
      if (!usage) throw new Error(`the crawl left without a word: ${complaints}`)
      const { rssMb, cpuSeconds, longestBlockMs } = usage
      return { peakMb: rssMb, cpuSeconds: rounded(cpuSeconds), longestBlockMs }
    },
  )
  return { child, ended }
}

function seedOf([name, place]: Places['places'][number]): string {
  const scheme = place.startsWith('https:') ? 'https' : 'http'
  return `${scheme}://${name}/${name.startsWith('www.healthy') ? 0 : ''}`
}
