import type { QueryProgress } from '#workload/improvability.ts'
import { maybe } from '../database/named-rows.ts'
import { loadQueryProgress } from '../queries/load-workload.ts'
import { Report } from './report.ts'

/** A cycle that changed a query's results. */
export interface QueryStep {
  readonly cycle: number
  readonly at: number
  /** Of its top results before the cycle. */
  readonly averageScore: number
  readonly newResults: number
}

/** How often a query was asked without any good. */
export interface Unserved {
  readonly searches: number
  /** Searches that showed nothing, and those that showed something nobody clicked. */
  readonly withoutResult: number
  readonly withoutClick: number
  readonly lastAt?: number
}

/**
 * SQL: one row a search of our own page, with whether it showed and led to anything. Other logs do not say what was shown
 * to whom, so that nothing follows from a missing click.
 */
const SEARCHES = `(SELECT a.query_id, a.asked_at, a.count,
    i.name IS NOT NULL AS shown, c.name IS NOT NULL AS clicked
  FROM asked a JOIN query_import q ON q.id = a.import_id AND q.format = 'ubi'
    LEFT JOIN (SELECT DISTINCT name FROM impression WHERE name <> '') i ON i.name = a.name
    LEFT JOIN (SELECT DISTINCT name FROM click WHERE name <> '') c ON c.name = a.name
  WHERE a.name <> '')`
const COUNTS = `coalesce(sum(count), 0) AS searches,
  coalesce(sum(CASE WHEN NOT shown THEN count END), 0) AS "withoutResult",
  coalesce(sum(CASE WHEN shown AND NOT clicked THEN count END), 0) AS "withoutClick", max(asked_at) AS "lastAt"`
const UNSERVED = {
  ...{ searches: Number, withoutResult: Number, withoutClick: Number, lastAt: maybe(Number) },
}

/** What the tables tell of queries, and of what the crawl did for them. */
export class QueryReports extends Report {
  /** What the last cycles did for the queries. */
  progress(): Promise<QueryProgress[]> {
    return loadQueryProgress(this.connection)
  }

  /** What each cycle did for one query, the first one first. */
  history(query: string): Promise<QueryStep[]> {
    return this.rows(
      `SELECT p.cycle, c.ended_at AS "at", average_score AS "averageScore", new_results AS "newResults"
       FROM query_progress p JOIN cycle c ON c.cycle = p.cycle WHERE query = $query ORDER BY p.cycle`,
      { cycle: Number, at: Number, averageScore: Number, newResults: Number },
      { query },
    )
  }

  /** By query: when its results last changed, as far as the crawl watched it. */
  async lastChanged(): Promise<Map<string, number>> {
    const rows = await this.rows(
      `SELECT query, max(c.ended_at) AS "at" FROM query_progress p JOIN cycle c ON c.cycle = p.cycle
       WHERE new_results > 0 GROUP BY query`,
      { query: String, at: Number },
    )
    return new Map(rows.map(({ query, at }) => [query, at]))
  }

  /** All searches of our own page together. */
  unserved(): Promise<Unserved> {
    return this.row(`SELECT ${COUNTS} FROM ${SEARCHES}`, UNSERVED)
  }

  /** The queries that were asked most often for nothing, by our own page. */
  mostUnserved(atMost: number): Promise<(Unserved & { query: string })[]> {
    return this.rows(
      `SELECT q.text AS query, ${COUNTS} FROM ${SEARCHES} s JOIN query q ON q.id = s.query_id
       GROUP BY q.text HAVING sum(CASE WHEN clicked THEN 0 ELSE count END) > 0
       ORDER BY sum(CASE WHEN clicked THEN 0 ELSE count END) DESC, query LIMIT ${atMost}`,
      { query: String, ...UNSERVED },
    )
  }
}
