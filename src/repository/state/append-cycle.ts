import type { DuckDBConnection } from '@duckdb/node-api'
import type { CycleRecord } from '#crawl/ports.ts'
import type { Frontier } from '#frontier/frontier.ts'
import { NOBODY } from '#frontier/urls/url-states.ts'
import type { ToldEntry } from '#learn/entries/entry.ts'
import { notLater } from '#learn/hear.ts'
import { appendColumns, appendRows } from '../database/append-columns.ts'
import type { MemoryRows } from '../log/kept-log.ts'
import { CYCLE, FETCH_LOG, type NumberedFetch } from '../tables/fetch-tables.ts'
import { CHANGE_CLAIM, type ChangeClaim, type NewPage, PAGE } from '../tables/page-tables.ts'
import { QUERY_PROGRESS } from '../tables/query-tables.ts'
import { ANCHOR, HOST, LINK, URL_TABLE } from '../tables/url-tables.ts'
import { appendMemory } from './fetcher-memory.ts'

/** How much of the frontier the tables hold: what has a larger number is new. */
export interface StoredSizes {
  readonly urls: number
  readonly hosts: number
  readonly anchors: number
  readonly fetches: number
}

/** Appends what a cycle brought to all tables; gives the new sizes. Runs inside a transaction. */
export async function appendCycle(
  connection: DuckDBConnection,
  record: CycleRecord,
  frontier: Frontier,
  stored: StoredSizes,
  memory?: MemoryRows,
): Promise<StoredSizes> {
  const sizes = await appendUrls(connection, frontier, stored)
  const fetches = record.fetches.map(
    (fetch, i): NumberedFetch => ({
      ...fetch,
      cycle: record.cycle,
      fetchId: stored.fetches + i,
      retryAt: frontier.retryAtOf(fetch.outcome.id),
    }),
  )
  await appendRows(connection, FETCH_LOG, fetches)
  await appendRows(connection, PAGE, newPages(fetches))
  await appendLinks(connection, fetches, frontier)
  await appendRows(connection, CHANGE_CLAIM, claimsOf(fetches, frontier))
  await appendRows(connection, CYCLE, [record])
  await appendRows(connection, QUERY_PROGRESS, progressRows(record))
  if (memory) await appendMemory(connection, memory, record.endedAt)
  return { ...sizes, fetches: stored.fetches + fetches.length }
}

/** What the cycle did for the queries, so that improvability can be learnt. */
function progressRows({ cycle, progress = [] }: CycleRecord) {
  return progress.map(({ query, averageScore, newResults }) => ({
    ...{ cycle, query, average_score: averageScore, new_results: newResults },
  }))
}

/** Appends the URLs, hosts and anchors that the tables do not have yet; gives the new sizes. */
export async function appendUrls(
  connection: DuckDBConnection,
  frontier: Frontier,
  stored: StoredSizes,
): Promise<StoredSizes> {
  const { urls, links } = frontier
  const hashes = urls.hashes()
  const newUrls = range(stored.urls, urls.size).map((id) => ({ id, frontier, hashes }))
  const newHosts = range(stored.hosts, urls.hostCount).map((id) => ({ id, frontier }))
  const newAnchors = range(stored.anchors, links.anchors.size).map((id) => ({ id, frontier }))
  await appendRows(connection, URL_TABLE, newUrls)
  await appendRows(connection, HOST, newHosts)
  await appendRows(connection, ANCHOR, newAnchors)
  return { ...stored, urls: urls.size, hosts: urls.hostCount, anchors: links.anchors.size }
}

/** Appends the URLs that were told of, and what was claimed of them; gives the new sizes. */
export async function appendTold(
  connection: DuckDBConnection,
  { told, at }: ToldEntry,
  frontier: Frontier,
  stored: StoredSizes,
): Promise<StoredSizes> {
  const sizes = await appendUrls(connection, frontier, stored)
  const claims = told.flatMap(({ url, changedAt }): ChangeClaim[] => {
    const number = changedAt === undefined ? undefined : frontier.urls.find(url)
    if (number === undefined || changedAt === undefined) return []
    const changed_at = notLater(changedAt, at)
    return [{ url_id: number, hub_id: NOBODY, changed_at, seen_at: at }]
  })
  await appendRows(connection, CHANGE_CLAIM, claims)
  return sizes
}

/** One row for each new content of a page; a redirect is content too, without words. */
function newPages(fetches: readonly NumberedFetch[]): NewPage[] {
  return fetches.flatMap(({ outcome, changed, fetchId, marks, duplicateOf, softError }) =>
    outcome.kind === 'page' && changed ? [{ fetchId, outcome, marks, duplicateOf, softError }] : [],
  )
}

/** The links of every page that changed; the latest fetch of a page has its current links. */
async function appendLinks(
  connection: DuckDBConnection,
  fetches: readonly NumberedFetch[],
  frontier: Frontier,
): Promise<void> {
  const rows = fetches
    .filter(({ changed }) => changed)
    .map(({ outcome, fetchId }) => ({
      page: outcome.id,
      fetchId,
      row: frontier.links.rowOf(outcome.id),
    }))
  const total = rows.reduce((sum, { row }) => sum + row.targets.length, 0)
  const column = () => new Uint32Array(total)
  const links = {
    src: column(),
    fetch_id: column(),
    dst: column(),
    anchor_id: column(),
    rel: column(),
  }
  let at = 0
  for (const { page, fetchId, row } of rows) {
    const end = at + row.targets.length
    links.src.fill(page, at, end)
    links.fetch_id.fill(fetchId, at, end)
    links.dst.set(row.targets, at)
    links.anchor_id.set(row.anchors, at)
    links.rel.set(row.rels, at)
    at = end
  }
  await appendColumns(connection, LINK, total, links)
}

/** What sitemaps and feeds said about when pages changed, if we may go by them. */
function claimsOf(fetches: readonly NumberedFetch[], frontier: Frontier): ChangeClaim[] {
  return fetches.flatMap(({ outcome, changed }) => {
    if (outcome.kind !== 'page' || !changed || outcome.page.nofollow) return []
    return outcome.page.links.flatMap(({ url, lastModified }) => {
      const target = lastModified === undefined ? undefined : frontier.urls.find(url)
      if (target === undefined || lastModified === undefined) return []
      return [{ url_id: target, hub_id: outcome.id, changed_at: lastModified, seen_at: outcome.at }]
    })
  })
}

function range(start: number, end: number): number[] {
  return Array.from({ length: Math.max(0, end - start) }, (_, i) => start + i)
}
