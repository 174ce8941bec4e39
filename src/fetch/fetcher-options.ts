import { type QuietWindow, quietHours } from '#crawl/pace/quiet-hours.ts'
import type { HostState, KeptWith, RobotsRecord } from '#crawl/ports.ts'
import type { FetchOutcome, KeptRecord, RobotsExchange } from '#learn/entries/outcome.ts'
import type { WebClientOptions } from './client/web-client.ts'
import type { MannersOptions } from './manners/host-manners.ts'
import type { Render } from './render/renderer.ts'
import type { Sites } from './sites/sites.ts'

export interface LiveFetcherOptions extends WebClientOptions {
  /** A rest is at least so many times as long as the answer took; 2, or 0 without a delay. */
  readonly responseFactor?: number
  /** Requests at once to all hosts of a registrable domain; 2, or any without a delay. */
  readonly perDomain?: number
  /** Requests at once to one address, more if it serves many domains; 1, or any without a delay. */
  readonly perAddress?: number
  /** A host that is left alone for longer is not waited for: its requests are put off; 60. */
  readonly patienceSeconds?: number
  /** The first pause of a host that is busy (10), and of one that keeps failing (60). */
  readonly busySeconds?: number
  readonly failingSeconds?: number
  /** Nobody is asked in these hours. */
  readonly quiet?: readonly QuietWindow[]
  /** Takes 401 and 403 for robots.txt as a no; RFC 9309 reads them as "no rules". */
  readonly closedWhenDenied?: boolean
  /** Reports the sitemaps robots.txt names, or the usual place if it names none; unless false. */
  readonly sitemaps?: boolean
  /** The last run was cut off, perhaps amid requests that nobody noted: every host rests before its first one. */
  readonly restFirst?: boolean
  /** From an earlier run. */
  readonly hostStates?: readonly HostState[]
  readonly robotsRecords?: readonly RobotsRecord[]
  /** Keeps what went over the wire, and gives the outcome with what was kept in its place. */
  readonly keep?: (outcome: FetchOutcome, keptWith?: KeptWith) => FetchOutcome
  /** Keeps a robots.txt as soon as it has come; without it, it comes along with the next outcome of its origin. */
  readonly keepRobots?: (file: RobotsExchange) => KeptRecord
  /** Runs the scripts of pages, in a crawl that renders. */
  readonly render?: Render
  /** When everything must be over; seconds since 1970. */
  readonly deadline?: number
  /** Body bytes that may still be received; must count an outcome before the next is asked for. */
  readonly bytesLeft?: () => number
}

/** What the half that sends goes by: bytes are counted elsewhere. */
export type SenderOptions = Omit<LiveFetcherOptions, 'bytesLeft'>

export const PATIENCE_SECONDS = 60
/** A third of the time a host is ours, two thirds are its own. */
const RESPONSE_FACTOR = 2
const PER_DOMAIN = 2
const PER_ADDRESS = 1

/** A delay of 0 switches our own pacing off; what sites ask for holds all the same. */
export function mannersOf(options: SenderOptions, sites: Sites): MannersOptions {
  const isPaced = options.delayMs > 0
  const quiet = quietHours(options.quiet ?? [])
  return {
    siteOf: (host) => sites.ofHost(host),
    quietUntil: (host, now) => Math.max(quiet(now), sites.quietUntil(host, now)),
    delaySeconds: options.delayMs / 1000,
    connectionsPerHost: options.connectionsPerHost,
    responseFactor: options.responseFactor ?? (isPaced ? RESPONSE_FACTOR : 0),
    perDomain: options.perDomain ?? (isPaced ? PER_DOMAIN : Number.POSITIVE_INFINITY),
    perAddress: options.perAddress ?? (isPaced ? PER_ADDRESS : Number.POSITIVE_INFINITY),
    busySeconds: options.busySeconds,
    failingSeconds: options.failingSeconds,
  }
}

/** Seconds between two requests to a host of which nothing is known. */
export function usualPaceOf({
  delayMs,
  connectionsPerHost,
}: Pick<LiveFetcherOptions, 'delayMs' | 'connectionsPerHost'>): number {
  return delayMs / 1000 / connectionsPerHost
}
