import type { DuckDBConnection } from '@duckdb/node-api'
import type { Frontier } from '#frontier/frontier.ts'
import { titleMark } from '#frontier/texts/text-marks.ts'
import { enact, type FetchEffect, releaseDuplicates } from '#learn/pages/enact.ts'
import { readColumns } from '../database/read-columns.ts'
import { endOfIds, readTexts } from '../database/read-texts.ts'
import { FETCH_LOG } from '../tables/fetch-tables.ts'
import { PAGE } from '../tables/page-tables.ts'

/** Few enough that their pages need little memory. */
const FETCHES_AT_ONCE = 1 << 16

const REPLAYED = [
  ...(['id', 'cycle', 'url_id', 'outcome', 'fetched_at', 'retry_at', 'postponed'] as const),
  ...(['changed', 'fresh', 'content_changed', 'claim_right', 'unclaimed', 'rendering'] as const),
]

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
  const end = await endOfIds(connection, FETCH_LOG, 'id')
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
    const pages = await storedContents(connection, from, from + FETCHES_AT_ONCE)
    const some = `WHERE id >= ${from} AND id < ${from + FETCHES_AT_ONCE} ORDER BY id`
    const headers = await readTexts(
      connection,
      FETCH_LOG,
      { id: 'id', text: 'headers' },
      from,
      from + FETCHES_AT_ONCE,
    )
    let next = 0
    for await (const { rowCount, columns } of readColumns(connection, FETCH_LOG, REPLAYED, some)) {
      for (let row = 0; row < rowCount; row++) {
        const id = columns.id[row]
        const until = columns.retry_at[row]
        const ofOldContent = headers[next++]
        yield {
          ...{ id, url: columns.url_id[row], cycle: columns.cycle[row] },
          kind: columns.outcome[row]!,
          at: columns.fetched_at[row],
          ...(columns.postponed[row] ? { postponedUntil: until } : until > 0 && { retryAt: until }),
          changed: columns.changed[row] === true,
          fresh: columns.fresh[row] === true,
          contentChanged: columns.content_changed[row] === true,
          claimRight: columns.claim_right[row] ?? undefined,
          unclaimed: columns.unclaimed[row] === true,
          rendering: columns.rendering[row],
          ...(ofOldContent && { headers: JSON.parse(ofOldContent) }),
          ...pages.get(id),
        }
      }
    }
  }
}

const CONTENT = [
  ...(['fetch_id', 'content_key', 'form', 'fingerprint', 'simhash', 'words'] as const),
  ...(['noindex', 'soft_error', 'duplicate_of', 'unavailable_after'] as const),
]

/** By fetch: the new contents that the fetches in [from, to) brought. */
async function storedContents(
  connection: DuckDBConnection,
  from: number,
  to: number,
): Promise<Map<number, Pick<FetchEffect, 'headers' | 'content'>>> {
  const texts = (text: 'etag' | 'last_modified' | 'title') =>
    readTexts(connection, PAGE, { id: 'fetch_id', text }, from, to)
  const etags = await texts('etag')
  const lastModified = await texts('last_modified')
  const titles = await texts('title')
  const contents = new Map<number, Pick<FetchEffect, 'headers' | 'content'>>()
  const some = `WHERE fetch_id >= ${from} AND fetch_id < ${to} ORDER BY fetch_id`
  for await (const { rowCount, columns } of readColumns(connection, PAGE, CONTENT, some)) {
    const { form, fingerprint, simhash, noindex, soft_error: softError } = columns
    for (let row = 0; row < rowCount; row++) {
      const at = contents.size
      const original = columns.duplicate_of[row]
      const until = columns.unavailable_after[row]
      const unavailableAfter = Number.isNaN(until) ? undefined : until
      const marks = {
        fingerprint: [fingerprint[2 * row], fingerprint[2 * row + 1]] as const,
        simhash: [simhash[2 * row], simhash[2 * row + 1]] as const,
        words: columns.words[row],
        title: titleMark(titles[at]),
      }
      contents.set(columns.fetch_id[row], {
        headers: { etag: etags[at], lastModified: lastModified[at], unavailableAfter },
        content: {
          key: columns.content_key[row],
          ...(form[row] === 'page' && { marks }),
          isShown: noindex[row] === false && softError[row] !== true && Number.isNaN(until),
          duplicateOf: original < 0 ? undefined : original,
        },
      })
    }
  }
  return contents
}
