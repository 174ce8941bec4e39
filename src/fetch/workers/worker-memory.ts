import type { FetcherMemory, RobotsRecord } from '#crawl/ports.ts'
import { robotsSitemaps } from '#parse/robots/robots-sitemaps.ts'
import { parseRobots } from '#parse/robots/robots-txt.ts'
import { hostOf } from '#parse/url/canonical-url.ts'
import type { DomainOwners } from '../team/domain-owners.ts'

/** What one worker is to know of what the fetcher of an earlier run knew. */
export function memoryOf(
  own: number,
  { hostStates = [], hostTrusts = [], robotsRecords = [] }: Partial<FetcherMemory>,
  owners: DomainOwners,
): Partial<FetcherMemory> {
  const isOwn = ({ host }: { host: string }) => owners.ownerOf(host) === own
  return {
    hostStates: hostStates.filter(isOwn),
    hostTrusts: hostTrusts.filter(isOwn),
    robotsRecords: robotsRecords.filter(
      (record) => isOwnRecord(record, own, owners) || namesSitemapOf(record, own, owners),
    ),
  }
}

/** What all workers know; of a robots.txt that was lent to another, its owner knows best. */
export function mergedMemory(
  memories: readonly FetcherMemory[],
  owners: DomainOwners,
): FetcherMemory {
  const untils = memories.flatMap(({ robotsUntil }) => robotsUntil ?? [])
  return {
    hostStates: memories.flatMap(({ hostStates }) => hostStates),
    hostTrusts: memories.flatMap(({ hostTrusts }) => hostTrusts),
    robotsRecords: memories.flatMap(({ robotsRecords }, own) =>
      robotsRecords.filter((record) => isOwnRecord(record, own, owners)),
    ),
    ...(untils.length > 0 && { robotsUntil: Math.min(...untils) }),
  }
}

function isOwnRecord({ origin }: RobotsRecord, own: number, owners: DomainOwners): boolean {
  return owners.ownerOf(hostOf(`${origin}/`)) === own
}

function namesSitemapOf({ origin, text }: RobotsRecord, own: number, owners: DomainOwners) {
  if (text === undefined || !/^\s*sitemap\s*:/im.test(text)) return false
  const sitemaps = robotsSitemaps(parseRobots(text), origin)
  return sitemaps.some(({ url }) => owners.ownerOf(hostOf(url)) === own)
}
