import type { DuckDBConnection } from '@duckdb/node-api'
import type { UbiEvent, UbiQuery } from '#workload/formats/ubi.ts'
import type { QueryProgress } from '#workload/improvability.ts'
import { type KnownAnchor, type KnownTitle, syntheticWorkload } from '#workload/synthetic.ts'
import type { AnswerClicks, StoredQuery, StoredWorkload } from '#workload/workload.ts'
import { appendColumns } from './bulk.ts'

const APPLICATION = 'forager'
/** Cycles that improvability is learnt from: what older ones tell is no longer so. */
export const REMEMBERED_CYCLES = 20
const MOST_TITLES = 50_000

/** Totals without a time count only from the last import of their file. */
const counts = (time: string) =>
  `(${time} IS NOT NULL OR import_id IN (SELECT max(id) FROM query_import GROUP BY format, file))`

/** The last import of a file says how its records age. */
const IMPORTS = `(
  SELECT id, format, imported_at, last_value(half_life) OVER (
    PARTITION BY format, file ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING
  ) AS half_life FROM query_import)`

/** Half of it is left after each half-life; what has no time does not age. */
const decayed = (value: string, time: string) =>
  `${value} * coalesce(pow(0.5, greatest(0, $now - ${time}) / half_life), 1)`

/** The queries people asked, merged over all imports and weighted by age; the weightiest first. */
export async function loadQueries(
  connection: DuckDBConnection,
  now: number,
): Promise<StoredQuery[]> {
  const rows = await connection.runAndReadAll(
    `SELECT q.id::VARCHAR, q.text, sum(${decayed('count', 'asked_at')}) AS weight,
            string_agg(DISTINCT i.format, ', ' ORDER BY i.format), min(asked_at), max(asked_at)
     FROM asked JOIN query q ON q.id = query_id JOIN ${IMPORTS} i ON i.id = import_id
     WHERE ${counts('asked_at')} GROUP BY q.id, q.text ORDER BY weight DESC, q.text`,
    { now },
  )
  return rows.getRows().map(([id, text, weight, source, firstSeen, lastSeen]) => ({
    id: String(id),
    text: String(text),
    weight: Number(weight),
    source: String(source),
    synthetic: false,
    ...(firstSeen !== null && { firstSeen: Number(firstSeen), lastSeen: Number(lastSeen) }),
  }))
}

/** The same, each with the answers that searchers clicked. */
export async function loadClickedQueries(
  connection: DuckDBConnection,
  now: number,
): Promise<StoredQuery[]> {
  const queries = await loadQueries(connection, now)
  const clicks = await loadAnswerClicks(connection, now)
  if (clicks.size === 0) return queries
  return queries.map((query) => ({ ...query, clicks: clicks.get(query.id) }))
}

/** By query: which answers searchers clicked, in the order of their addresses. */
async function loadAnswerClicks(
  connection: DuckDBConnection,
  now: number,
): Promise<Map<string, AnswerClicks[]>> {
  const rows = await connection.runAndReadAll(
    `SELECT query_id::VARCHAR, url, sum(aged) AS weight, sum(aged * aged / count) AS squares FROM (
       SELECT query_id, url, count, ${decayed('weight', 'clicked_at')} AS aged
       FROM click JOIN ${IMPORTS} i ON i.id = import_id
       WHERE ${counts('clicked_at')} AND count > 0)
     GROUP BY query_id, url ORDER BY query_id, url`,
    { now },
  )
  const byQuery = new Map<string, AnswerClicks[]>()
  for (const [id, url, weight, squares] of rows.getRows()) {
    const clicks = byQuery.get(String(id)) ?? []
    clicks.push({ url: String(url), weight: Number(weight), squares: Number(squares) })
    byQuery.set(String(id), clicks)
  }
  return byQuery
}

/**
 * What searchers want, merged over all imports and weighted by age; without any, a synthetic workload
 * made from the titles and anchors of the crawl.
 */
export async function loadWorkload(
  connection: DuckDBConnection,
  now: number,
): Promise<StoredWorkload> {
  const queries = await loadQueries(connection, now)
  if (queries.length === 0) return synthesised(connection)
  const judged = await connection.runAndReadAll(
    `SELECT query_id::VARCHAR, url, arg_max(grade, import_id) FROM judgment
     WHERE ${counts('NULL')} GROUP BY query_id, url ORDER BY query_id, url`,
  )
  const clicked = await connection.runAndReadAll(
    `SELECT url, sum(${decayed('weight', 'clicked_at')}) AS clicks
     FROM click JOIN ${IMPORTS} i ON i.id = import_id
     WHERE ${counts('clicked_at')} GROUP BY url ORDER BY clicks DESC, url`,
    { now },
  )
  return {
    queries,
    judgments: judged.getRows().map(([queryId, url, grade]) => ({
      queryId: String(queryId),
      url: String(url),
      grade: Number(grade),
    })),
    clicks: clicked
      .getRows()
      .map(([url, clicks]) => ({ url: String(url), clicks: Number(clicks) })),
    synthetic: false,
  }
}

/** A workload made from the titles and anchors of the crawl. */
export async function synthesised(connection: DuckDBConnection): Promise<StoredWorkload> {
  // The links that each page has now.
  const links = `
    SELECT l.src, l.dst, l.anchor_id
    FROM link l JOIN (SELECT src, max(fetch_id) AS fetch_id FROM link GROUP BY src) last
      ON last.src = l.src AND last.fetch_id = l.fetch_id`
  const titles = await connection.runAndReadAll(
    `SELECT title, links FROM (
       SELECT p.url_id, arg_max(p.title, p.fetch_id) AS title, coalesce(any_value(n.links), 0)::DOUBLE AS links
       FROM page p LEFT JOIN (SELECT dst, count(DISTINCT src) AS links FROM (${links}) GROUP BY dst) n
         ON n.dst = p.url_id
       GROUP BY p.url_id)
     WHERE title <> '' ORDER BY links DESC, title LIMIT ${MOST_TITLES}`,
  )
  const anchors = await connection.runAndReadAll(
    `SELECT a.text, count(*)::DOUBLE AS links, count(DISTINCT l.dst)::DOUBLE
     FROM (${links}) l JOIN anchor a ON a.id = l.anchor_id
     WHERE a.text <> '' GROUP BY a.text ORDER BY links DESC, a.text LIMIT ${MOST_TITLES}`,
  )
  const queries = syntheticWorkload(
    titles
      .getRows()
      .map(([title, inLinks]): KnownTitle => ({ title: String(title), inLinks: Number(inLinks) })),
    anchors.getRows().map(
      ([text, links, pages]): KnownAnchor => ({
        text: String(text),
        links: Number(links),
        pages: Number(pages),
      }),
    ),
  )
  return { queries, judgments: [], clicks: [], synthetic: true }
}

/** Totals have no time; UBI does not insist on one. */
type UntimedQuery = Omit<UbiQuery, 'timestamp'> & Partial<Pick<UbiQuery, 'timestamp'>>

/** Everything that was asked and clicked as UBI records, queries first; judgments have no place there. */
export async function* exportUbi(
  connection: DuckDBConnection,
): AsyncGenerator<UntimedQuery | UbiEvent> {
  // A query without a name gets one by its number; clicks that know only the query point at the first.
  const name = `coalesce(a.name, 'forager-' || a.query_id || CASE WHEN nth > 1 THEN '-' || nth ELSE '' END)`
  const asked = await connection.stream(
    `SELECT ${name}, q.text, a.asked_at, a.count::DOUBLE, shown.urls FROM (
       SELECT *, row_number() OVER (
         PARTITION BY query_id, name IS NULL ORDER BY asked_at NULLS FIRST, import_id) AS nth
       FROM asked WHERE ${counts('asked_at')}) a
     JOIN query q ON q.id = a.query_id
     LEFT JOIN (SELECT query_id, import_id, seen_at, name, string_agg(url, chr(10) ORDER BY rank) AS urls
                FROM impression WHERE seen_at IS NOT NULL GROUP BY ALL) shown
       ON shown.query_id = a.query_id AND shown.import_id = a.import_id AND shown.seen_at = a.asked_at
        AND shown.name IS NOT DISTINCT FROM a.name
     ORDER BY a.query_id, a.asked_at, nth`,
  )
  for await (const rows of asked.yieldRows())
    for (const [queryId, text, at, count, urls] of rows)
      yield {
        application: APPLICATION,
        query_id: String(queryId),
        user_query: String(text),
        ...(at !== null && { timestamp: isoTime(Number(at)) }),
        ...(count !== 1 && { query_attributes: { count: Number(count) } }),
        object_id_field: 'url',
        ...(urls !== null && { query_response_hit_ids: String(urls).split('\n') }),
      }
  const clicked = await connection.stream(
    `SELECT coalesce(name, 'forager-' || query_id), url, coalesce(clicked_at, i.imported_at), rank, count::DOUBLE
     FROM click JOIN query_import i ON i.id = import_id WHERE ${counts('clicked_at')}
     ORDER BY query_id, clicked_at, url`,
  )
  for await (const rows of clicked.yieldRows())
    for (const [queryId, url, at, rank, count] of rows)
      yield {
        application: APPLICATION,
        action_name: 'click',
        query_id: String(queryId),
        timestamp: isoTime(Number(at)),
        event_attributes: {
          object: { object_id: String(url), object_id_field: 'url' },
          // An average of ranks is no ordinal.
          ...(rank !== null && { position: { ordinal: Math.round(Number(rank)) } }),
          ...(count !== 1 && { count: Number(count) }),
        },
      }
}

function isoTime(seconds: number): string {
  return new Date(seconds * 1000).toISOString()
}

/** Notes what a cycle did for the queries, so that improvability can be learnt. */
export async function appendQueryProgress(
  connection: DuckDBConnection,
  cycle: number,
  progress: readonly (QueryProgress & { readonly query: string })[],
): Promise<void> {
  await appendColumns(connection, 'query_progress', [
    { type: 'bigint', values: progress.map(() => cycle) },
    { type: 'text', values: progress.map(({ query }) => query) },
    { type: 'double', values: progress.map(({ averageScore }) => averageScore) },
    { type: 'bigint', values: progress.map(({ newResults }) => newResults) },
  ])
}

/** What the last cycles did for the queries. */
export async function loadQueryProgress(connection: DuckDBConnection): Promise<QueryProgress[]> {
  const rows = await connection.runAndReadAll(
    `SELECT average_score, new_results::DOUBLE FROM query_progress
     WHERE cycle > (SELECT max(cycle) FROM query_progress) - ${REMEMBERED_CYCLES}
     ORDER BY cycle, query`,
  )
  return rows.getRows().map(([averageScore, newResults]) => ({
    averageScore: Number(averageScore),
    newResults: Number(newResults),
  }))
}
