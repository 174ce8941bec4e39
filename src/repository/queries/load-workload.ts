import type { DuckDBConnection } from '@duckdb/node-api'
import type { QueryProgress } from '#workload/improvability.ts'
import { type KnownTitle, syntheticWorkload } from '#workload/synthetic.ts'
import type { StoredQuery, StoredWorkload } from '#workload/workload.ts'
import { maybe, namedRows } from '../database/named-rows.ts'
import { REMEMBERED_CYCLES } from '../tables/query-tables.ts'

const MOST_TITLES = 50_000

/** SQL: totals without a time count only from the last import of their file. */
export const counts = (time: string) =>
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
  const queries = await namedRows(
    connection,
    `SELECT q.id, q.text, sum(${decayed('count', 'asked_at')} ORDER BY import_id, asked_at, count) AS weight,
            string_agg(DISTINCT i.format, ', ' ORDER BY i.format) AS source,
            min(asked_at) AS "firstSeen", max(asked_at) AS "lastSeen"
     FROM asked JOIN query q ON q.id = query_id JOIN ${IMPORTS} i ON i.id = import_id
     WHERE ${counts('asked_at')} GROUP BY q.id, q.text ORDER BY weight DESC, q.text`,
    {
      ...{ id: String, text: String, weight: Number, source: String },
      ...{ firstSeen: maybe(Number), lastSeen: maybe(Number) },
    },
    { now },
  )
  return queries.map((query) => ({ ...query, synthetic: false }))
}

/** The same, each with the answers that searchers clicked. */
export async function loadClickedQueries(
  connection: DuckDBConnection,
  now: number,
): Promise<StoredQuery[]> {
  const queries = await loadQueries(connection, now)
  const clicks = await namedRows(
    connection,
    `SELECT query_id AS "queryId", url, sum(aged ORDER BY import_id, clicked_at, aged) AS weight,
            sum(aged * aged / count ORDER BY import_id, clicked_at, aged) AS squares FROM (
       SELECT query_id, url, count, import_id, clicked_at, ${decayed('weight', 'clicked_at')} AS aged
       FROM click JOIN ${IMPORTS} i ON i.id = import_id
       WHERE ${counts('clicked_at')} AND count > 0)
     GROUP BY query_id, url ORDER BY query_id, url`,
    { queryId: String, url: String, weight: Number, squares: Number },
    { now },
  )
  if (clicks.length === 0) return queries
  const byQuery = Map.groupBy(clicks, ({ queryId }) => queryId)
  const clicksOf = (id: string) =>
    byQuery.get(id)?.map(({ url, weight, squares }) => ({ url, weight, squares }))
  return queries.map((query) => ({ ...query, clicks: clicksOf(query.id) }))
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
  const judgments = await namedRows(
    connection,
    `SELECT query_id AS "queryId", url, arg_max(grade, import_id) AS grade FROM judgment
     WHERE ${counts('NULL')} GROUP BY query_id, url ORDER BY query_id, url`,
    { queryId: String, url: String, grade: Number },
  )
  const clicks = await namedRows(
    connection,
    `SELECT url, sum(${decayed('weight', 'clicked_at')}) AS clicks
     FROM click JOIN ${IMPORTS} i ON i.id = import_id
     WHERE ${counts('clicked_at')} GROUP BY url ORDER BY clicks DESC, url`,
    { url: String, clicks: Number },
    { now },
  )
  return { queries, judgments, clicks, synthetic: false }
}

/** What the last cycles did for the queries. */
export function loadQueryProgress(connection: DuckDBConnection): Promise<QueryProgress[]> {
  return namedRows(
    connection,
    `SELECT average_score AS "averageScore", new_results AS "newResults" FROM query_progress
     WHERE cycle > (SELECT max(cycle) FROM query_progress) - ${REMEMBERED_CYCLES}
     ORDER BY cycle, query`,
    { averageScore: Number, newResults: Number },
  )
}

/** A workload made from the titles and anchors of the crawl. */
export async function synthesised(connection: DuckDBConnection): Promise<StoredWorkload> {
  // The links that each page has now.
  const links = `
    SELECT l.src, l.dst, l.anchor_id
    FROM link l JOIN (SELECT src, max(fetch_id) AS fetch_id FROM link GROUP BY src) last
      ON last.src = l.src AND last.fetch_id = l.fetch_id`
  const titles = await namedRows(
    connection,
    `SELECT title, links FROM (
       SELECT p.url_id, arg_max(p.title, p.fetch_id) AS title, coalesce(any_value(n.links), 0) AS links
       FROM page p LEFT JOIN (SELECT dst, count(DISTINCT src) AS links FROM (${links}) GROUP BY dst) n
         ON n.dst = p.url_id
       GROUP BY p.url_id)
     WHERE title <> '' ORDER BY links DESC, title LIMIT ${MOST_TITLES}`,
    { title: String, links: Number },
  )
  const anchors = await namedRows(
    connection,
    `SELECT a.text, count(*) AS links, count(DISTINCT l.dst) AS pages
     FROM (${links}) l JOIN anchor a ON a.id = l.anchor_id
     WHERE a.text <> '' GROUP BY a.text ORDER BY links DESC, a.text LIMIT ${MOST_TITLES}`,
    { text: String, links: Number, pages: Number },
  )
  const known = titles.map(({ title, links }): KnownTitle => ({ title, inLinks: links }))
  const queries = syntheticWorkload(known, anchors)
  return { queries, judgments: [], clicks: [], synthetic: true }
}
