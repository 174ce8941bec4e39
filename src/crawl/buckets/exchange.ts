import type { Frontier } from '#frontier/frontier.ts'
import type { LoggedFetch } from '#learn/entries/learnt-fetch.ts'
import { bucketOf } from './bucket-of.ts'

/** What one bucket tells another of a link, or of a URL that it has found. */
interface ToldLink {
  readonly dest: number
  readonly page: string | null
  readonly page_depth: number
  readonly fetched_at: number
  /** The PageRank that each link of the page brings. */
  readonly share: number
  readonly url: string | null
  readonly source: string | null
  readonly depth: number
  readonly anchor: string | null
  readonly rel: number
}

/** A bucket among others. */
export interface OwnBucket {
  readonly bucket: number
  /** By host. */
  readonly bucketOfHost: (host: number) => number
}

export function ownBucket(frontier: Frontier, bucket: number, buckets: number): OwnBucket {
  const known: number[] = []
  const bucketOfHost = (host: number) => {
    known[host] ??= bucketOf(frontier.urls.domainName(host), buckets)
    return known[host]
  }
  return { bucket, bucketOfHost }
}

/** By page: the other buckets that its links lead to. */
export function destinations(
  pages: Iterable<number>,
  frontier: Frontier,
  { bucket, bucketOfHost }: OwnBucket,
): Map<number, Set<number>> {
  const hosts = frontier.urls.hosts()
  return new Map(
    Array.from(new Set(pages), (page) => {
      const dests = new Set<number>()
      for (const target of frontier.links.targetsOf(page)) dests.add(bucketOfHost(hosts[target]))
      dests.delete(bucket)
      return [page, dests]
    }),
  )
}

/**
 * What an epoch has to tell others, sorted by whom: of each page whose links changed the whole list of those into a
 * bucket, and of other URLs that are new that they exist.
 */
export function toldLinks(
  fetches: readonly LoggedFetch[],
  newUrls: Iterable<number>,
  frontier: Frontier,
  own: OwnBucket,
  shareOf: (page: number) => number,
): ToldLink[] {
  const { urls, discoveries, links } = frontier
  const told: ToldLink[] = []
  const isTold = new Set<number>()
  const found = (url: number) => ({
    url: urls.urlOf(url),
    source: discoveries.sourceOf(url),
    depth: discoveries.depthOf(url),
  })
  for (const [page, fetched_at] of latestChanges(fetches)) {
    const of = { ...pageOf(page, frontier), fetched_at, share: shareOf(page) }
    const { targets, anchors, rels } = links.rowOf(page)
    targets.forEach((target, i) => {
      const dest = own.bucketOfHost(urls.hostNumberOf(target))
      if (dest === own.bucket) return
      isTold.add(target)
      const anchor = links.anchors.at(anchors[i])
      told.push({ dest, ...of, ...found(target), anchor, rel: rels[i] })
    })
  }
  const alone = { page: null, page_depth: 0, share: 0, anchor: null, rel: 0 }
  for (const url of newUrls) {
    const dest = own.bucketOfHost(urls.hostNumberOf(url))
    if (dest === own.bucket || isTold.has(url)) continue
    told.push({ dest, ...alone, fetched_at: discoveries.firstSeenOf(url), ...found(url) })
  }
  return sortedByDest(told)
}

/** Empty lists, for buckets that pages led to before an epoch and do not any more. */
export function withdrawnLinks(
  fetches: readonly LoggedFetch[],
  before: ReadonlyMap<number, ReadonlySet<number>>,
  frontier: Frontier,
  own: OwnBucket,
): ToldLink[] {
  const latest = latestChanges(fetches)
  const now = destinations(latest.keys(), frontier, own)
  const none = { share: 0, url: null, source: null, depth: 0, anchor: null, rel: 0 }
  const withdrawn = Array.from(latest).flatMap(([page, fetched_at]) =>
    Array.from(before.get(page) ?? [])
      .filter((dest) => !now.get(page)!.has(dest))
      .map((dest) => ({ dest, ...pageOf(page, frontier), fetched_at, ...none })),
  )
  return sortedByDest(withdrawn)
}

/** A page may come twice: the last time counts. */
function latestChanges(fetches: readonly LoggedFetch[]): Map<number, number> {
  const changed = fetches.filter(({ changed }) => changed)
  return new Map(changed.map(({ outcome }) => [outcome.id, outcome.at]))
}

function pageOf(page: number, { urls, discoveries }: Frontier) {
  return { page: urls.urlOf(page), page_depth: discoveries.depthOf(page) }
}

/** Lists stay whole, as sorting is stable. */
function sortedByDest(told: ToldLink[]): ToldLink[] {
  return told.sort((a, b) => a.dest - b.dest)
}
