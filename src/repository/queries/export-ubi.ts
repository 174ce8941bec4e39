import type { DuckDBConnection } from '@duckdb/node-api'
import type { UbiEvent, UbiQuery } from '#workload/formats/ubi.ts'
import { maybe, streamNamedRows } from '../database/named-rows.ts'
import { counts } from './load-workload.ts'

const APPLICATION = 'forager'

/** Totals have no time; UBI does not insist on one. */
type UntimedQuery = Omit<UbiQuery, 'timestamp'> & Partial<Pick<UbiQuery, 'timestamp'>>

/** Everything that was asked and clicked as UBI records, queries first; judgments have no place there. */
export async function* exportUbi(
  connection: DuckDBConnection,
): AsyncGenerator<UntimedQuery | UbiEvent> {
  // A query without a name gets one by its number; clicks that know only the query point at the first.
  const name = `coalesce(a.name, 'forager-' || a.query_id || CASE WHEN nth > 1 THEN '-' || nth ELSE '' END)`
  const asked = streamNamedRows(
    connection,
    `SELECT ${name} AS query, q.text, a.asked_at AS at, a.count, shown.urls FROM (
       SELECT *, row_number() OVER (
         PARTITION BY query_id, name IS NULL ORDER BY asked_at NULLS FIRST, import_id) AS nth
       FROM asked WHERE ${counts('asked_at')}) a
     JOIN query q ON q.id = a.query_id
     LEFT JOIN (SELECT query_id, import_id, seen_at, name, string_agg(url, chr(10) ORDER BY rank) AS urls
                FROM impression WHERE seen_at IS NOT NULL GROUP BY ALL) shown
       ON shown.query_id = a.query_id AND shown.import_id = a.import_id AND shown.seen_at = a.asked_at
        AND shown.name IS NOT DISTINCT FROM a.name
     ORDER BY a.query_id, a.asked_at, nth`,
    { query: String, text: String, at: maybe(Number), count: Number, urls: maybe(String) },
  )
  for await (const { query, text, at, count, urls } of asked)
    yield {
      application: APPLICATION,
      query_id: query,
      user_query: text,
      ...(at !== undefined && { timestamp: isoTime(at) }),
      ...(count !== 1 && { query_attributes: { count } }),
      object_id_field: 'url',
      ...(urls !== undefined && { query_response_hit_ids: urls.split('\n') }),
    }
  const clicked = streamNamedRows(
    connection,
    `SELECT coalesce(name, 'forager-' || query_id) AS query, url,
            coalesce(clicked_at, i.imported_at) AS at, rank, count
     FROM click JOIN query_import i ON i.id = import_id WHERE ${counts('clicked_at')}
     ORDER BY query_id, clicked_at, url`,
    { query: String, url: String, at: Number, rank: maybe(Number), count: Number },
  )
  for await (const { query, url, at, rank, count } of clicked)
    yield {
      application: APPLICATION,
      action_name: 'click',
      query_id: query,
      timestamp: isoTime(at),
      event_attributes: {
        object: { object_id: url, object_id_field: 'url' },
        // An average of ranks is no ordinal.
        ...(rank !== undefined && { position: { ordinal: Math.round(rank) } }),
        ...(count !== 1 && { count }),
      },
    }
}

function isoTime(seconds: number): string {
  return new Date(seconds * 1000).toISOString()
}
