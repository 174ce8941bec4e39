import type { DuckDBConnection } from '@duckdb/node-api'
import { NOBODY } from '#frontier/urls/url-states.ts'
import type { Thought } from '#learn/corrections/corrections.ts'
import { OUTCOME_KINDS } from '#learn/entries/outcome.ts'
import type { ObservedFetch } from '#learn/histories.ts'
import type { ParsedPage } from '#parse/page/page.ts'
import { chunksOf, placeIn, vectorsOf } from '../database/read-columns.ts'
import { endOfIds, IDS_AT_ONCE } from '../database/read-texts.ts'
import { doubleItems, integerItems } from '../database/vector-items.ts'

const INTEGERS = [
  'id::INTEGER',
  'url_id::INTEGER',
  placeIn(OUTCOME_KINDS, 'outcome'),
  'coalesce(content_changed, false)::INTEGER',
  'coalesce(new_urls, 0)::INTEGER',
  'coalesce(found_before, 0)::INTEGER',
  `coalesce(rival_id, ${NOBODY})::INTEGER`,
  'coalesce(in_links, 0)::INTEGER',
]
const DOUBLES = [
  'fetched_at',
  ...['realised_gain', 'clicks', 'thought_acquire', 'thought_refresh', 'thought_links'].map(
    (column) => `coalesce(${column}, 'nan'::DOUBLE)`,
  ),
]

/**
 * Calls `visit` with every fetch of the log, in its order. Columns are read as arrays of numbers, a part of
 * the log at a time: millions of rows take seconds, and little memory.
 */
export async function replayFetches(
  connection: DuckDBConnection,
  visit: (fetch: ObservedFetch) => void,
): Promise<void> {
  const forms = await formsOf(connection)
  const end = await endOfIds(connection, 'fetch_log', 'id')
  for (let from = 0; from < end; from += IDS_AT_ONCE) {
    const sql = `
      SELECT ${[...INTEGERS, ...DOUBLES].join(', ')} FROM fetch_log
      WHERE id >= ${from} AND id < ${from + IDS_AT_ONCE} ORDER BY id`
    for await (const chunk of chunksOf(connection, sql)) {
      const vectors = vectorsOf(chunk)
      const [ids, urls, kinds, contentChanged, newUrls, foundBefore, rivals, inLinks] = vectors
        .slice(0, INTEGERS.length)
        .map(integerItems)
      const [at, gains, clicks, ofAcquiring, ofRefreshing, ofLinks] = vectors
        .slice(INTEGERS.length)
        .map(doubleItems)
      for (let row = 0; row < chunk.rowCount; row++) {
        visit({
          url: urls[row],
          at: at[row],
          kind: OUTCOME_KINDS[kinds[row]],
          form: forms.get(ids[row]) ?? 'page',
          contentChanged: contentChanged[row] === 1,
          newUrls: newUrls[row],
          foundBefore: foundBefore[row],
          rival: rivals[row],
          inLinks: inLinks[row],
          gain: gains[row],
          clicks: clicks[row],
          thought: thoughtOf(ofAcquiring[row], ofRefreshing[row], ofLinks[row]),
        })
      }
    }
  }
}

/** The fetches that brought a sitemap or a feed. */
async function formsOf(connection: DuckDBConnection): Promise<Map<number, ParsedPage['form']>> {
  const rows = await connection.runAndReadAll(
    "SELECT fetch_id::INTEGER, form FROM page WHERE form <> 'page'",
  )
  return new Map(rows.getRows().map(([fetch, form]) => [Number(fetch), form as ParsedPage['form']]))
}

/** What was not thought of is left out. */
function thoughtOf(acquire: number, refresh: number, links: number): Thought | undefined {
  const has = { acquire: !Number.isNaN(acquire), refresh: !Number.isNaN(refresh) }
  const hasLinks = !Number.isNaN(links)
  if (!has.acquire && !has.refresh && !hasLinks) return undefined
  return {
    ...(has.acquire && { acquire }),
    ...(has.refresh && { refresh }),
    ...(hasLinks && { links }),
  }
}
