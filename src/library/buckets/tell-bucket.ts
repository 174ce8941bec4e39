import { join } from 'node:path'
import { ownBucket, toldLinks } from '#crawl/buckets/exchange.ts'
import { readAsSitemapOnly } from '#crawl/read-as-sitemap-only.ts'
import { linkShare } from '#importance/block-pagerank.ts'
import { apply } from '#learn/apply.ts'
import { knowledge } from '#learn/knowledge.ts'
import { writeExchange } from '#repository/buckets/exchange-files.ts'
import { readOutcomes } from '#repository/buckets/outcome-files.ts'
import { type KnownThen, readFetched } from '#repository/buckets/plan-files.ts'
import { openInMemory } from '#repository/buckets/tables-in-memory.ts'
import { tellAnswers } from './bucket-queries.ts'
import { EXCHANGE, type OpenBuckets, OUTCOMES } from './buckets-crawl.ts'
import { goesByQueries } from './query-files.ts'

/**
 * The phase before learning: what pages just fetched say of URLs in other buckets. It takes nothing but the pages to tell, so
 * all buckets know of these links when they learn and plan.
 */
export async function tellBucket(
  opened: OpenBuckets,
  epoch: number,
  bucket: number,
  into: string,
): Promise<void> {
  const { folder, crawl } = opened
  const { fetches } = await readOutcomes(folder.ofEpoch(epoch, OUTCOMES), bucket)
  if (fetches.length === 0) return
  using tables = await openInMemory()
  const { connection } = tables
  const planned = await readFetched(connection, folder.partOf(epoch - 1, 'cut', bucket))
  // As if there were nothing but these pages.
  const known = knowledge()
  const { frontier } = known
  apply({ kind: 'rules', scope: crawl.scope, seeds: crawl.seeds }, known)
  const then: KnownThen[] = []
  const entries = fetches.map((fetch) => {
    const { id, url, at } = fetch.outcome
    const before = planned.get(id)!
    const { depth, source } = before
    const page = frontier.add(url, source, depth, at)
    then[page] = before
    return { ...fetch, outcome: { ...fetch.outcome, id: page } }
  })
  const fetched = frontier.size
  for (const { outcome, ...fetch } of entries)
    apply(
      { kind: 'fetch', ...fetch, outcome: readAsSitemapOnly(outcome, frontier, known.scope) },
      known,
    )
  const ended = apply({ kind: 'end', cycle: epoch, at: 0 }, known)
  const newUrls = Array.from({ length: frontier.size - fetched }, (_, i) => fetched + i)
  const { offsets } = frontier.links.toCsr(frontier.size)
  const shares = {
    now: (page: number) => linkShare(then[page].rank, offsets[page + 1] - offsets[page]),
    before: (page: number) => linkShare(then[page].rank, then[page].linked?.links ?? 0),
  }
  const destsBefore = (page: number) => then[page].linked?.dests ?? []
  const own = ownBucket(frontier, bucket, crawl.buckets)
  const told = toldLinks(ended.fetches, newUrls, frontier, own, shares, destsBefore)
  if (told.length > 0) await writeExchange(connection, told, join(into, EXCHANGE))
  if (goesByQueries(opened)) tellAnswers(opened, epoch, ended.fetches, frontier.urls.hashes(), into)
}
