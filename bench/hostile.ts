import { benchmark } from './harness/benchmark.ts'
import { rounded } from './harness/cost.ts'
import { type CrawlRun, crawlOnce } from './hostile/crawl.ts'
import { hostileHosts, http2HostNames } from './hostile/hosts.ts'
import { slowestDocument } from './hostile/slowest-document.ts'

/** What must hold, beside a crawl of the same healthy hosts alone. */
const LEAST_SPEED = 0.9
const MOST_MEMORY = 1.5
const MOST_MS_A_DOCUMENT = 500

const FLAGS = { hosts: 60, pages: 40, times: 1, rounds: 3, 'delay-ms': 1000, minutes: 5 }

export default benchmark({
  about: 'Crawls healthy hosts alone, then among hostile ones of every kind: what they lose by it',
  flags: FLAGS,
  run,
})

/**
 * Each host is at an address of its own; servers and crawl, the command itself, are processes of their own. Both
 * sides take turns, and medians count: what else the machine does meets both.
 */
async function run(flags: typeof FLAGS): Promise<object> {
  const healthy = { hosts: flags.hosts, pages: flags.pages }
  const options = { delaySeconds: flags['delay-ms'] / 1000, minutes: flags.minutes }
  const runs: { alone: CrawlRun; among: CrawlRun }[] = []
  for (let round = 0; round < flags.rounds; round++)
    runs.push({
      alone: await crawlOnce(healthy, 0, options),
      among: await crawlOnce(healthy, flags.times, options),
    })
  const alone = middleOf(runs.map((run) => run.alone))
  const among = middleOf(runs.map((run) => run.among))
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
    hostileHosts: hostileHosts(flags.times).length + http2HostNames(flags.times).length,
    alone,
    among,
  }
}

/** The median of each number; of what must not happen at all, the worst. */
function middleOf(runs: readonly CrawlRun[]): CrawlRun {
  const median = (field: 'pagesPerSecond' | 'longestGapMs' | 'longestBlockMs' | 'peakMb') =>
    medianOf(runs.map((run) => run[field]))
  return {
    pagesPerSecond: median('pagesPerSecond'),
    missing: Math.max(...runs.map(({ missing }) => missing)),
    longestGapMs: median('longestGapMs'),
    longestBlockMs: median('longestBlockMs'),
    peakMb: median('peakMb'),
    cpuSeconds: medianOf(runs.map(({ cpuSeconds }) => cpuSeconds)),
    secondsToStop: Math.max(...runs.map(({ secondsToStop }) => secondsToStop)),
    hasEnded: runs.every(({ hasEnded }) => hasEnded),
  }
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]
}
