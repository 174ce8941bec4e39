import type { DuckDBConnection } from '@duckdb/node-api'
import type { Frontier } from '#frontier/frontier.ts'
import { OUTCOME_KINDS } from '#learn/entries/outcome.ts'
import { enact, type FetchEffect, releaseDuplicates } from '#learn/pages/enact.ts'
import { chunksOf, placeIn, vectorsOf } from './read-chunks.ts'
import { readStoredPages, type StoredPage } from './stored-pages.ts'
import { endOfIds } from './stored-texts.ts'

/** Few enough that their pages need little memory. */
const FETCHES_AT_ONCE = 1 << 16

/** What a fetch did, as the tables have it. */
interface StoredEffect extends FetchEffect {
  readonly id: number
  readonly cycle: number
  /** The content, or that there is none any more, was news. */
  readonly changed: boolean
}

/**
 * Enacts the fetches of the tables once more, so that a frontier that is read back went through what the living
 * one did. Gives, for every fetch, 1 if it brought its URL's current content.
 */
export async function replayLog(
  connection: DuckDBConnection,
  frontier: Frontier,
): Promise<Uint8Array> {
  const end = await endOfIds(connection, 'fetch_log', 'id')
  const latest = new Uint32Array(frontier.size) // by URL: the fetch + 1
  let cycle: { readonly number: number; readonly fetched: StoredEffect[] } | undefined
  for await (const effect of storedEffects(connection, end)) {
    if (cycle?.number !== effect.cycle) {
      if (cycle) releaseDuplicates(cycle.fetched, frontier)
      cycle = { number: effect.cycle, fetched: [] }
    }
    cycle.fetched.push(effect)
    enact(effect, frontier)
    if (effect.changed && effect.postponedUntil === undefined) latest[effect.url] = effect.id + 1
  }
  if (cycle) releaseDuplicates(cycle.fetched, frontier)
  const isCurrent = new Uint8Array(end)
  for (const fetch of latest) if (fetch > 0) isCurrent[fetch - 1] = 1
  return isCurrent
}

async function* storedEffects(
  connection: DuckDBConnection,
  end: number,
): AsyncGenerator<StoredEffect> {
  for (let from = 0; from < end; from += FETCHES_AT_ONCE) {
    const pages = await readStoredPages(connection, from, from + FETCHES_AT_ONCE)
    let nextPage = 0
    const sql = `
      SELECT id::INTEGER, url_id::INTEGER, ${placeIn(OUTCOME_KINDS, 'outcome')}, fetched_at,
             retry_at, changed, fresh, claim_right, postponed, unclaimed, content_changed,
             cycle::INTEGER
      FROM fetch_log WHERE id >= ${from} AND id < ${from + FETCHES_AT_ONCE} ORDER BY id`
    for await (const chunk of chunksOf(connection, sql)) {
      const [ids, urls, kinds, at, retryAt, changed, fresh, ...rest] = vectorsOf(chunk)
      const [claimRight, postponed, unclaimed, contentChanged, cycle] = rest
      for (let row = 0; row < chunk.rowCount; row++) {
        const id = ids.getItem(row) as number
        const until = retryAt.getItem(row) as number
        const page = pages[nextPage]?.fetchId === id ? pages[nextPage++] : undefined
        yield {
          ...{ id, url: urls.getItem(row) as number, cycle: cycle.getItem(row) as number },
          kind: OUTCOME_KINDS[kinds.getItem(row) as number],
          at: at.getItem(row) as number,
          ...(postponed.getItem(row) ? { postponedUntil: until } : until > 0 && { retryAt: until }),
          changed: changed.getItem(row) === true,
          fresh: fresh.getItem(row) === true,
          contentChanged: contentChanged.getItem(row) === true,
          claimRight: (claimRight.getItem(row) as boolean | null) ?? undefined,
          unclaimed: unclaimed.getItem(row) === true,
          ...(page && contentOf(page)),
        }
      }
    }
  }
}

function contentOf(page: StoredPage): Pick<FetchEffect, 'headers' | 'content'> {
  const { contentKey, etag, lastModified, isPage, isShown, marks } = page
  const unavailableAfter = page.unavailableAfter ?? undefined
  const duplicateOf = page.duplicateOf ?? undefined
  return {
    headers: { etag, lastModified, unavailableAfter },
    content: { key: contentKey, ...(isPage && { marks }), isShown, duplicateOf },
  }
}
