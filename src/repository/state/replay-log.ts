import type { DuckDBConnection } from '@duckdb/node-api'
import { standsForNobody } from '#crawl/originals.ts'
import type { Frontier } from '#frontier/frontier.ts'
import type { FetchOutcome } from '#learn/entries/outcome.ts'
import { readColumns } from '../database/read-columns.ts'
import { endOfIds } from '../database/read-texts.ts'
import { FETCH_LOG } from '../tables/fetch-tables.ts'
import { readStoredPages, type StoredPage } from './stored-pages.ts'

/** Few enough that their pages need little memory. */
const FETCHES_AT_ONCE = 1 << 16

const REPLAYED = [
  ...(['id', 'cycle', 'url_id', 'outcome', 'fetched_at', 'retry_at', 'postponed'] as const),
  ...(['changed', 'fresh', 'content_changed', 'claim_right', 'unclaimed'] as const),
]
/** Outcomes that say whether a pattern of addresses brings something new. */
const JUDGED: readonly FetchOutcome['kind'][] = ['page', 'redirect', 'gone', 'unreadable']

/**
 * Replays the fetch log with what each page was like, so that a loaded frontier went through what the living one
 * did. Gives, for every fetch, 1 if it brought its URL's current content.
 */
export async function replayLog(
  connection: DuckDBConnection,
  frontier: Frontier,
): Promise<Uint8Array> {
  const end = await endOfIds(connection, FETCH_LOG, 'id')
  const latest = new Uint32Array(frontier.size) // by URL: the fetch + 1
  const cycles = new ReplayedCycles(frontier)
  for (let from = 0; from < end; from += FETCHES_AT_ONCE) {
    const pages = await readStoredPages(connection, from, from + FETCHES_AT_ONCE)
    await replaySome(connection, frontier, { from, pages, latest, cycles })
  }
  cycles.end()
  const isCurrent = new Uint8Array(end)
  for (const fetch of latest) if (fetch > 0) isCurrent[fetch - 1] = 1
  return isCurrent
}

interface Replay {
  readonly from: number
  /** In the order of their fetches. */
  readonly pages: readonly StoredPage[]
  readonly latest: Uint32Array
  readonly cycles: ReplayedCycles
}

async function replaySome(
  connection: DuckDBConnection,
  frontier: Frontier,
  { from, pages, latest, cycles }: Replay,
): Promise<void> {
  const some = `WHERE id >= ${from} AND id < ${from + FETCHES_AT_ONCE} ORDER BY id`
  const hosts = frontier.urls.hosts()
  let nextPage = 0
  for await (const { rowCount, columns } of readColumns(connection, FETCH_LOG, REPLAYED, some)) {
    for (let row = 0; row < rowCount; row++) {
      const id = columns.id[row]
      const url = columns.url_id[row]
      const until = columns.retry_at[row]
      const kind = columns.outcome[row]!
      const page = pages[nextPage]?.fetchId === id ? pages[nextPage++] : undefined
      cycles.add(columns.cycle[row], url, page !== undefined)
      if (columns.postponed[row]) {
        frontier.postpone(url, until)
        continue
      }
      const state = kind === 'unchanged' ? 'page' : kind
      const at = columns.fetched_at[row]
      if (page) restorePage(url, page, frontier)
      if (JUDGED.includes(kind)) frontier.judge(url, columns.fresh[row] === true)
      frontier.visit(url, { state, at, ...(until > 0 && { retryAt: until }) })
      if (page) frontier.restoreContent(url, page.contentKey)
      if (state === 'page') frontier.claims.read(url, at)
      const right = columns.claim_right[row]
      if (right !== null) frontier.claims.count(hosts[url], right)
      if (columns.unclaimed[row])
        frontier.claims.countSilence(hosts[url], columns.content_changed[row] === true)
      if (columns.changed[row]) latest[url] = id + 1
    }
  }
}

/** What a page's new content was like: validators, duplicates, until when it may be shown. */
function restorePage(url: number, page: StoredPage, frontier: Frontier): void {
  const { etag, lastModified, unavailableAfter, duplicateOf, isPage, marks, isShown } = page
  frontier.validators.set(url, { etag, lastModified })
  if (unavailableAfter === null) frontier.unavailableAfter.delete(url)
  else frontier.unavailableAfter.set(url, unavailableAfter)
  if (isPage) frontier.texts.restore(url, ...marks.simhash)
  frontier.duplicates.note(url, duplicateOf ?? undefined)
  if (isPage && duplicateOf === null) frontier.duplicates.restore(url, marks, isShown)
  else frontier.duplicates.leave(url, isPage && isShown)
}

/** What happens between cycles: duplicates of pages that a cycle found lost or hidden are released. */
class ReplayedCycles {
  readonly #frontier: Frontier
  #cycle = -1
  #fetches: { url: number; changed: boolean }[] = []

  constructor(frontier: Frontier) {
    this.#frontier = frontier
  }

  /** A URL was fetched in a cycle, and was a page with new content or not. */
  add(cycle: number, url: number, changed: boolean): void {
    if (cycle !== this.#cycle) this.end()
    this.#cycle = cycle
    this.#fetches.push({ url, changed })
  }

  end(): void {
    for (const { url, changed } of this.#fetches)
      if (standsForNobody(url, changed, this.#frontier)) this.#frontier.releaseDuplicatesOf(url)
    this.#fetches = []
  }
}
