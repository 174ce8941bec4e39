import type { DuckDBConnection } from '@duckdb/node-api'
import type { Prediction } from '#learn/corrections/corrections.ts'
import type { ObservedFetch } from '#learn/histories.ts'
import type { ParsedPage } from '#parse/page/page.ts'
import { readColumns } from '../database/read-columns.ts'
import { endOfIds, IDS_AT_ONCE } from '../database/read-texts.ts'
import { FETCH_LOG } from '../tables/fetch-tables.ts'
import { PAGE } from '../tables/page-tables.ts'

const OBSERVED = [
  ...(['id', 'cycle', 'url_id', 'fetched_at', 'outcome', 'content_changed', 'new_urls'] as const),
  ...(['in_links', 'realised_gain', 'anchor_gain', 'clicks'] as const),
  ...(['predicted_gain', 'ms', 'bytes', 'rendering'] as const),
  ...(['thought_acquire', 'thought_refresh', 'thought_links', 'thought_render'] as const),
]

/**
 * Calls `visit` with every fetch of the log, in its order. Columns are read as arrays of numbers, a part of
 * the log at a time: millions of rows take seconds, and little memory.
 */
export async function replayFetches(
  connection: DuckDBConnection,
  visit: (fetch: ObservedFetch, cycle: number) => void,
): Promise<void> {
  const forms = await formsOf(connection)
  const end = await endOfIds(connection, FETCH_LOG, 'id')
  for (let from = 0; from < end; from += IDS_AT_ONCE) {
    const some = `WHERE id >= ${from} AND id < ${from + IDS_AT_ONCE} ORDER BY id`
    for await (const { rowCount, columns } of readColumns(connection, FETCH_LOG, OBSERVED, some)) {
      const { thought_acquire, thought_refresh, thought_links, thought_render } = columns
      for (let row = 0; row < rowCount; row++) {
        const fetch = {
          url: columns.url_id[row],
          at: columns.fetched_at[row],
          kind: columns.outcome[row]!,
          form: forms.get(columns.id[row]) ?? 'page',
          contentChanged: columns.content_changed[row] === true,
          newUrls: columns.new_urls[row],
          inLinks: columns.in_links[row],
          gain: columns.realised_gain[row],
          anchorGain: columns.anchor_gain[row] || 0, // NaN where it was not measured
          expected: columns.predicted_gain[row],
          views: columns.clicks[row],
          prediction: predictionOf({
            acquire: thought_acquire[row],
            refresh: thought_refresh[row],
            links: thought_links[row],
            render: thought_render[row],
          }),
          ...{ ms: columns.ms[row], bytes: columns.bytes[row] || 0 },
          rendering: columns.rendering[row],
        }
        visit(fetch, columns.cycle[row])
      }
    }
  }
}

/** The fetches that brought a sitemap or a feed. */
async function formsOf(connection: DuckDBConnection): Promise<Map<number, ParsedPage['form']>> {
  const forms = new Map<number, ParsedPage['form']>()
  const others = "WHERE form <> 'page'"
  for await (const { columns } of readColumns(connection, PAGE, ['fetch_id', 'form'], others))
    for (const [row, fetch] of columns.fetch_id.entries()) forms.set(fetch, columns.form[row]!)
  return forms
}

/** What was not predicted is left out. */
function predictionOf(all: Required<Prediction>): Prediction | undefined {
  const predicted = Object.entries(all).filter(([, value]) => !Number.isNaN(value))
  return predicted.length > 0 ? Object.fromEntries(predicted) : undefined
}
