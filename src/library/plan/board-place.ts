import type { RobotsRecord } from '#crawl/ports.ts'
import { textInForce } from '#fetch/client/robots-record.ts'
import { MAX_CRAWL_DELAY_SECONDS } from '#fetch/manners/host-manners.ts'
import { Sites } from '#fetch/sites/sites.ts'
import { crawlDelaySeconds, parseRobots } from '#parse/robots/robots-txt.ts'
import { hostOf } from '#parse/url/canonical-url.ts'
import type { CrawlTables } from '../open/open-crawl.ts'
import { identityOf } from '../settings/identity.ts'
import type { Settings } from '../settings/settings.ts'
import { siteRules } from '../settings/site-rules.ts'

/** Where a URL stands on the board: of each host the best goes first, at the host's pace. */
export interface BoardPlace {
  readonly host: string
  /** On its host, from 1 on. */
  readonly place: number
  /** Seconds from the beginning of a run until it is sent, if nothing better comes. */
  readonly inSeconds: number
}

/** Seconds between two requests to a host, as far as is known before a run. */
type PaceOf = (url: string) => number

/** By the settings, and by what the host's robots.txt asks for. */
export async function storedPaces(
  { store, now }: Pick<CrawlTables, 'store' | 'now'>,
  settings: Settings,
): Promise<PaceOf> {
  const { robotsRecords } = await store.fetcherMemory()
  const records = new Map(robotsRecords.map((record) => [record.origin, record]))
  const { agentToken } = identityOf(settings)
  const sites = new Sites(siteRules(settings.sites))
  return (url) => {
    const record = records.get(new URL(url).origin)
    const delay = sites.ofHost(hostOf(url))?.delaySeconds ?? settings.delay
    return Math.max(delay, record ? delayOf(record, agentToken, now) : 0)
  }
}

function delayOf(record: RobotsRecord, agentToken: string, now: number): number {
  const text = textInForce(record, now)
  const delay = text === undefined ? 0 : crawlDelaySeconds(parseRobots(text), agentToken)
  return Math.min(delay ?? 0, MAX_CRAWL_DELAY_SECONDS)
}

/** The place on its host of each URL of a list, best first. */
export function boardPlaces(urls: readonly string[], paceOf: PaceOf): BoardPlace[] {
  const counts = new Map<string, number>()
  return urls.map((url) => {
    const host = hostOf(url)
    const place = (counts.get(host) ?? 0) + 1
    counts.set(host, place)
    return { host, place, inSeconds: (place - 1) * paceOf(url) }
  })
}
