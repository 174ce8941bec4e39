import type { DuckDBConnection } from '@duckdb/node-api'
import { namedRow, namedRows } from '../database/named-rows.ts'

/** How much of a host is known and was fetched. */
interface HostSummary {
  readonly host: string
  readonly known: number
  readonly fetched: number
}

/** What the tables tell of a crawl as a whole. */
export class SummaryReports {
  readonly #connection: DuckDBConnection

  constructor(connection: DuckDBConnection) {
    this.#connection = connection
  }

  /** The hosts with most URLs fetched. */
  busiestHosts(atMost: number): Promise<HostSummary[]> {
    return namedRows(
      this.#connection,
      `SELECT h.name AS host, count(*) AS known,
              count(CASE WHEN f.url_id IS NOT NULL THEN 1 END) AS fetched
       FROM url u JOIN host h ON h.id = u.host_id
            LEFT JOIN (SELECT DISTINCT url_id FROM fetch_log WHERE cost > 0) f ON f.url_id = u.id
       GROUP BY h.name ORDER BY fetched DESC, known DESC, host LIMIT ${atMost}`,
      { host: String, known: Number, fetched: Number },
    )
  }

  /** Contents that said what another page said, or that the page was not found. */
  uselessContents(): Promise<{ duplicates: number; softErrors: number }> {
    return namedRow(
      this.#connection,
      `SELECT count(duplicate_of) AS "duplicates",
              count(CASE WHEN soft_error THEN 1 END) AS "softErrors" FROM page`,
      { duplicates: Number, softErrors: Number },
    )
  }

  /** Whether anybody's searches are known. */
  async hasSearches(): Promise<boolean> {
    const sql = 'SELECT count(*) AS searches FROM asked'
    return (await namedRow(this.#connection, sql, { searches: Number })).searches > 0
  }
}
