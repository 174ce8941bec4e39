import type { DuckDBConnection } from '@duckdb/node-api'
import type { CycleRecord } from '#crawl/ports.ts'
import type { Frontier } from '#frontier/frontier.ts'
import { NOBODY } from '#frontier/urls/url-states.ts'
import { costOf, type FetchOutcome, type PageOutcome } from '#learn/entries/outcome.ts'
import { appendColumns } from '../database/append-columns.ts'

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
): Promise<StoredSizes> {
  await appendUrls(connection, frontier, stored)
  await appendFetches(connection, record, frontier, stored.fetches)
  await appendPages(connection, record, stored.fetches)
  await appendLinks(connection, record, frontier, stored.fetches)
  await appendClaims(connection, record, frontier)
  await appendColumns(connection, 'cycle', [
    { type: 'bigint', values: [record.cycle] },
    { type: 'double', values: [record.startedAt] },
    { type: 'double', values: [record.endedAt] },
    { type: 'bigint', values: [record.planned] },
    { type: 'bigint', values: [record.fetches.length] },
    { type: 'double', values: [record.price ?? null] },
  ])
  return {
    urls: frontier.size,
    hosts: frontier.urls.hostCount,
    anchors: frontier.links.anchors.size,
    fetches: stored.fetches + record.fetches.length,
  }
}

async function appendUrls(
  connection: DuckDBConnection,
  frontier: Frontier,
  stored: StoredSizes,
): Promise<void> {
  const { urls, links } = frontier
  const newUrls = range(stored.urls, urls.size)
  const hashes = urls.hashes()
  await appendColumns(connection, 'url', [
    { type: 'bigint', values: newUrls },
    {
      type: 'hash',
      values: hashes.low.subarray(stored.urls),
      high: hashes.high.subarray(stored.urls),
    },
    { type: 'text', values: Array.from(newUrls, (url) => urls.urlOf(url)) },
    { type: 'bigint', values: urls.hosts().subarray(stored.urls) },
    { type: 'bigint', values: Uint32Array.from(newUrls, (url) => frontier.depthOf(url)) },
    { type: 'text', values: Array.from(newUrls, (url) => frontier.sourceOf(url)) },
    { type: 'double', values: Array.from(newUrls, (url) => frontier.firstSeenOf(url)) },
    { type: 'bigint', values: newUrls.map((url) => frontier.patterns.numberOf(url)) },
    { type: 'bigint', values: Array.from(newUrls, (url) => idOrNull(frontier.finderOf(url))) },
  ])
  const newHosts = range(stored.hosts, urls.hostCount)
  await appendColumns(connection, 'host', [
    { type: 'bigint', values: newHosts },
    { type: 'text', values: Array.from(newHosts, (host) => urls.hostName(host)) },
    { type: 'text', values: Array.from(newHosts, (host) => urls.domainName(host)) },
  ])
  const newAnchors = range(stored.anchors, links.anchors.size)
  await appendColumns(connection, 'anchor', [
    { type: 'bigint', values: newAnchors },
    { type: 'text', values: Array.from(newAnchors, (anchor) => links.anchors.at(anchor)) },
  ])
}

async function appendFetches(
  connection: DuckDBConnection,
  { cycle, fetches }: CycleRecord,
  frontier: Frontier,
  firstId: number,
): Promise<void> {
  const outcomes = fetches.map(({ outcome }) => outcome)
  await appendColumns(connection, 'fetch_log', [
    { type: 'bigint', values: range(firstId, firstId + fetches.length) },
    { type: 'bigint', values: fetches.map(() => cycle) },
    { type: 'bigint', values: outcomes.map(({ id }) => id) },
    { type: 'double', values: outcomes.map(({ at }) => at) },
    { type: 'text', values: fetches.map(({ purpose }) => purpose) },
    { type: 'double', values: fetches.map(({ predictedGain }) => predictedGain) },
    { type: 'text', values: outcomes.map(({ kind }) => kind) },
    { type: 'bigint', values: outcomes.map((o) => ('status' in o ? (o.status ?? null) : null)) },
    { type: 'text', values: outcomes.map(reasonOf) },
    { type: 'bigint', values: outcomes.map(costOf) },
    { type: 'bigint', values: outcomes.map((o) => ('bytes' in o ? o.bytes : 0)) },
    { type: 'double', values: outcomes.map(({ ms }) => ms) },
    { type: 'boolean', values: fetches.map(({ changed }) => changed) },
    { type: 'bigint', values: fetches.map(({ newUrls }) => newUrls) },
    { type: 'double', values: outcomes.map(({ id }) => frontier.retryAtOf(id)) },
    { type: 'boolean', values: fetches.map(({ fresh }) => fresh) },
    { type: 'boolean', values: fetches.map(({ claimRight }) => claimRight ?? null) },
    { type: 'boolean', values: fetches.map(({ postponed }) => postponed ?? false) },
    { type: 'text', values: fetches.map(({ warc }) => warc?.file ?? null) },
    { type: 'bigint', values: fetches.map(({ warc }) => warc?.offset ?? null) },
    { type: 'double', values: fetches.map(({ realisedGain }) => realisedGain ?? null) },
    { type: 'boolean', values: fetches.map(({ contentChanged }) => contentChanged) },
    { type: 'bigint', values: fetches.map(({ newLinks }) => newLinks) },
    { type: 'bigint', values: fetches.map(({ foundBefore }) => foundBefore) },
    { type: 'bigint', values: fetches.map(({ rival }) => idOrNull(rival)) },
    { type: 'bigint', values: fetches.map(({ inLinks }) => inLinks) },
    { type: 'boolean', values: fetches.map(({ unclaimed }) => unclaimed ?? false) },
    { type: 'double', values: fetches.map(({ clicks }) => clicks ?? null) },
    { type: 'double', values: fetches.map(({ bid }) => bid ?? null) },
    { type: 'double', values: fetches.map(({ parts }) => parts?.acquire ?? null) },
    { type: 'double', values: fetches.map(({ parts }) => parts?.refresh ?? null) },
    { type: 'double', values: fetches.map(({ parts }) => parts?.discover ?? null) },
    { type: 'double', values: fetches.map(({ probability }) => probability ?? null) },
    { type: 'double', values: fetches.map(({ thought }) => thought?.acquire ?? null) },
    { type: 'double', values: fetches.map(({ thought }) => thought?.refresh ?? null) },
    { type: 'double', values: fetches.map(({ thought }) => thought?.links ?? null) },
  ])
}

function idOrNull(url: number): number | null {
  return url === NOBODY ? null : url
}

function reasonOf(outcome: FetchOutcome): string | null {
  if (outcome.kind === 'disallowed') return outcome.rule
  if (outcome.kind === 'redirect') return outcome.target
  return 'reason' in outcome ? outcome.reason : null
}

/** The kept log has no texts, but tells how long they were. */
function textLengthOf({ page, textFacts }: PageOutcome): number {
  return textFacts?.length ?? page.text.length
}

/** One row for each new content of a page; a redirect is content too, without words. */
async function appendPages(
  connection: DuckDBConnection,
  { fetches }: CycleRecord,
  firstId: number,
): Promise<void> {
  const pages = fetches.flatMap(({ outcome, changed, ...learnt }, i) =>
    outcome.kind === 'page' && changed ? [{ ...outcome, ...learnt, fetchId: firstId + i }] : [],
  )
  const pair = (values: readonly (readonly [number, number] | undefined)[]) => ({
    type: 'hash' as const,
    values: Uint32Array.from(values, (value) => value?.[0] ?? 0),
    high: Uint32Array.from(values, (value) => value?.[1] ?? 0),
  })
  await appendColumns(connection, 'page', [
    { type: 'bigint', values: pages.map(({ id }) => id) },
    { type: 'bigint', values: pages.map(({ fetchId }) => fetchId) },
    { type: 'double', values: pages.map(({ at }) => at) },
    { type: 'text', values: pages.map(({ contentHash }) => contentHash) },
    { type: 'text', values: pages.map(({ etag }) => etag ?? null) },
    { type: 'text', values: pages.map(({ lastModified }) => lastModified ?? null) },
    { type: 'text', values: pages.map(({ page }) => page.title) },
    { type: 'text', values: pages.map(({ page }) => page.language ?? null) },
    { type: 'bigint', values: pages.map((page) => textLengthOf(page)) },
    { type: 'text', values: pages.map(({ page }) => page.canonical ?? null) },
    { type: 'boolean', values: pages.map(({ page }) => page.noindex) },
    { type: 'boolean', values: pages.map(({ page }) => page.nofollow) },
    { type: 'text', values: pages.map(({ page }) => page.form) },
    pair(pages.map(({ marks }) => marks?.fingerprint)),
    pair(pages.map(({ marks }) => marks?.simhash)),
    { type: 'bigint', values: pages.map(({ marks }) => marks?.words ?? 0) },
    { type: 'bigint', values: pages.map(({ duplicateOf }) => duplicateOf ?? null) },
    { type: 'boolean', values: pages.map(({ softError }) => softError ?? false) },
    { type: 'text', values: pages.map(({ page }) => page.contentUsage ?? null) },
    { type: 'boolean', values: pages.map(({ page }) => page.noarchive ?? false) },
    { type: 'boolean', values: pages.map(({ page }) => page.nosnippet ?? false) },
    { type: 'double', values: pages.map(({ page }) => page.unavailableAfter ?? null) },
  ])
}

/** The links of every page that changed; the latest fetch of a page has its current links. */
async function appendLinks(
  connection: DuckDBConnection,
  { fetches }: CycleRecord,
  frontier: Frontier,
  firstId: number,
): Promise<void> {
  const rows = fetches.flatMap(({ outcome, changed }, i) =>
    changed
      ? [{ src: outcome.id, fetchId: firstId + i, row: frontier.links.rowOf(outcome.id) }]
      : [],
  )
  const total = rows.reduce((sum, { row }) => sum + row.targets.length, 0)
  const [src, fetchId, dst, anchor, rel] = Array.from({ length: 5 }, () => new Uint32Array(total))
  let at = 0
  for (const { row, ...source } of rows) {
    const end = at + row.targets.length
    src.fill(source.src, at, end)
    fetchId.fill(source.fetchId, at, end)
    dst.set(row.targets, at)
    anchor.set(row.anchors, at)
    rel.set(row.rels, at)
    at = end
  }
  await appendColumns(
    connection,
    'link',
    [src, fetchId, dst, anchor, rel].map((values) => ({ type: 'bigint', values })),
  )
}

/** What sitemaps and feeds said about when pages changed, if we may go by them. */
async function appendClaims(
  connection: DuckDBConnection,
  { fetches }: CycleRecord,
  frontier: Frontier,
): Promise<void> {
  const claims = fetches.flatMap(({ outcome, changed }) => {
    if (outcome.kind !== 'page' || !changed || outcome.page.nofollow) return []
    return outcome.page.links.flatMap(({ url, lastModified }) => {
      const target = lastModified === undefined ? undefined : frontier.urls.find(url)
      return target === undefined ? [] : [{ target, lastModified, hub: outcome.id, at: outcome.at }]
    })
  })
  await appendColumns(connection, 'change_claim', [
    { type: 'bigint', values: claims.map(({ target }) => target) },
    { type: 'bigint', values: claims.map(({ hub }) => hub) },
    { type: 'double', values: claims.map(({ lastModified }) => lastModified!) },
    { type: 'double', values: claims.map(({ at }) => at) },
  ])
}

function range(start: number, end: number): Uint32Array {
  return Uint32Array.from({ length: Math.max(0, end - start) }, (_, i) => start + i)
}
