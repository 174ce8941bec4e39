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
  /** And what each of those brought that it had before. */
  readonly share_before: number
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

/** A page's links as others know them. */
export interface KnownLinks {
  readonly links: number
  /** Other buckets that they lead to. */
  readonly dests: readonly number[]
}

/** The links of pages, as far as they lead to other buckets; `linkCount` is as PageRank counts them. */
export function knownLinks(
  pages: Iterable<number>,
  frontier: Frontier,
  own: OwnBucket,
  linkCount: (page: number) => number,
): Map<number, KnownLinks> {
  const known = new Map<number, KnownLinks>()
  for (const page of pages) {
    const dests = destsOf(page, frontier, own)
    if (dests.size > 0)
      known.set(page, { links: linkCount(page), dests: [...dests].sort((a, b) => a - b) })
  }
  return known
}

function destsOf(page: number, frontier: Frontier, { bucket, bucketOfHost }: OwnBucket) {
  const dests = new Set<number>()
  for (const target of frontier.links.targetsOf(page))
    dests.add(bucketOfHost(frontier.urls.hostNumberOf(target)))
  dests.delete(bucket)
  return dests
}

/** By page: the PageRank that each of its links brings, and brought before it was fetched. */
interface LinkShares {
  readonly now: (page: number) => number
  readonly before: (page: number) => number
}

/**
 * What an epoch has to tell others, sorted by whom: of each page that was fetched the whole list of its links into a
 * bucket, empty where it had some before and has none any more; and of other URLs that are new that they exist.
 */
export function toldLinks(
  fetches: readonly LoggedFetch[],
  newUrls: Iterable<number>,
  frontier: Frontier,
  own: OwnBucket,
  shares: LinkShares,
  destsBefore: (page: number) => readonly number[],
): ToldLink[] {
  const { urls, discoveries, links } = frontier
  const told: ToldLink[] = []
  const isTold = new Set<number>()
  const found = (url: number) => ({
    url: urls.urlOf(url),
    source: discoveries.sourceOf(url),
    depth: discoveries.depthOf(url),
  })
  for (const [page, fetched_at] of latestLinks(fetches)) {
    const share_before = shares.before(page)
    const of = { ...pageOf(page, frontier), fetched_at, share: shares.now(page), share_before }
    const dests = destsOf(page, frontier, own)
    for (const dest of destsBefore(page))
      if (!dests.has(dest)) told.push({ dest, ...of, ...NO_LINK })
    const { targets, anchors, rels } = links.rowOf(page)
    targets.forEach((target, i) => {
      const dest = own.bucketOfHost(urls.hostNumberOf(target))
      if (dest === own.bucket) return
      isTold.add(target)
      const anchor = links.anchors.at(anchors[i])
      told.push({ dest, ...of, ...found(target), anchor, rel: rels[i] })
    })
  }
  const alone = { page: null, page_depth: 0, share: 0, share_before: 0, anchor: null, rel: 0 }
  for (const url of newUrls) {
    const dest = own.bucketOfHost(urls.hostNumberOf(url))
    if (dest === own.bucket || isTold.has(url)) continue
    told.push({ dest, ...alone, fetched_at: discoveries.firstSeenOf(url), ...found(url) })
  }
  return sortedByDest(told)
}

/** A page may come twice: the last time counts. */
function latestLinks(fetches: readonly LoggedFetch[]): Map<number, number> {
  // What is gone links to nothing: nobody here knows whether it did before.
  const changed = fetches.filter(({ changed, outcome }) => changed || outcome.kind === 'gone')
  return new Map(changed.map(({ outcome }) => [outcome.id, outcome.at]))
}

const NO_LINK = { url: null, source: null, depth: 0, anchor: null, rel: 0 }

function pageOf(page: number, { urls, discoveries }: Frontier) {
  return { page: urls.urlOf(page), page_depth: discoveries.depthOf(page) }
}

/** Lists stay whole, as sorting is stable. */
function sortedByDest(told: ToldLink[]): ToldLink[] {
  return told.sort((a, b) => a.dest - b.dest)
}
