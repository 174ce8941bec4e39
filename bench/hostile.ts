import { rounded } from './cost.ts'
import { numberFlags } from './flags.ts'
import { crawlOnce } from './hostile-crawl.ts'
import { hostileHosts, http2HostNames } from './hostile-hosts.ts'
import { slowestDocument } from './slowest-document.ts'

/** What must hold, beside a crawl of the same healthy hosts alone. */
const LEAST_SPEED = 0.9
const MOST_MEMORY = 1.5
const MOST_MS_A_DOCUMENT = 500

/**
 * Crawls healthy hosts alone, then among hostile ones of every kind, each at an address of its own, with the command
 * itself; servers and crawl are processes of their own. Shows what healthy hosts lose by it.
 */
export async function run(args: string[]): Promise<object> {
  const flags = numberFlags(args, { hosts: 60, pages: 40, times: 1, 'delay-ms': 1000, minutes: 5 })
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
    benchmark: 'hostile',
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
