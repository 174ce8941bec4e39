import type { Frontier } from '#frontier/frontier.ts'
import type { LoggedFetch } from '#learn/entries/learnt-fetch.ts'

/** What one bucket tells another of a link, or of a URL that it has found. */
interface ToldLink {
  readonly dest: number
  readonly page: string | null
  readonly page_depth: number
  readonly fetched_at: number
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
 * bucket, also where there is none left, and of other URLs that are new that they exist.
 */
export function toldLinks(
  fetches: readonly LoggedFetch[],
  before: ReadonlyMap<number, ReadonlySet<number>>,
  newUrls: Iterable<number>,
  frontier: Frontier,
  own: OwnBucket,
): ToldLink[] {
  const { urls, discoveries, links } = frontier
  const told: ToldLink[] = []
  const isTold = new Set<number>()
  const found = (url: number) => ({
    url: urls.urlOf(url),
    source: discoveries.sourceOf(url),
    depth: discoveries.depthOf(url),
  })
  const latest = new Map<number, number>() // a page may come twice: the last time counts
  for (const { outcome, changed } of fetches) if (changed) latest.set(outcome.id, outcome.at)
  const now = destinations(latest.keys(), frontier, own)
  for (const [page, fetched_at] of latest) {
    const of = { page: urls.urlOf(page), page_depth: discoveries.depthOf(page), fetched_at }
    const { targets, anchors, rels } = links.rowOf(page)
    targets.forEach((target, i) => {
      const dest = own.bucketOfHost(urls.hostNumberOf(target))
      if (dest === own.bucket) return
      isTold.add(target)
      const anchor = links.anchors.at(anchors[i])
      told.push({ dest, ...of, ...found(target), anchor, rel: rels[i] })
    })
    const none = { url: null, source: null, depth: 0, anchor: null, rel: 0 }
    for (const dest of before.get(page) ?? [])
      if (!now.get(page)!.has(dest)) told.push({ dest, ...of, ...none })
  }
  const alone = { page: null, page_depth: 0, anchor: null, rel: 0 }
  for (const url of newUrls) {
    const dest = own.bucketOfHost(urls.hostNumberOf(url))
    if (dest === own.bucket || isTold.has(url)) continue
    told.push({ dest, ...alone, fetched_at: discoveries.firstSeenOf(url), ...found(url) })
  }
  return told.sort((a, b) => a.dest - b.dest) // stable: lists stay whole
}
