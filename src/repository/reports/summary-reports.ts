import { maybe } from '../database/named-rows.ts'
import { Report } from './report.ts'

/** How much of a host is known and was fetched. */
interface HostSummary {
  readonly host: string
  readonly known: number
  readonly fetched: number
}

/** A host that turned us away, and why. */
export interface RefusingHost {
  readonly host: string
  /** URLs whose latest answer was a no. */
  readonly urls: number
  readonly status: number
  /** What it asked for instead, if it said so. */
  readonly reason?: string
}

/** What the tables tell of a crawl as a whole. */
export class SummaryReports extends Report {
  /** By WARC file: where the last answer lies that the tables know. */
  async lastWarcOffsets(): Promise<Map<string, number>> {
    const rows = await this.rows(
      `SELECT warc_file AS file, max(warc_offset) AS last FROM fetch_log
       WHERE warc_file IS NOT NULL GROUP BY warc_file`,
      { file: String, last: Number },
    )
    return new Map(rows.map(({ file, last }) => [file, last]))
  }

  /** How much is known, and what it took. */
  totals() {
    return this.row(
      `SELECT (SELECT count(*) FROM url) AS known, (SELECT count(*) FROM host) AS hosts,
              coalesce((SELECT max(cycle) FROM cycle), 0) AS cycles,
              coalesce((SELECT sum(cost) FROM fetch_log), 0) AS spent`,
      { known: Number, hosts: Number, cycles: Number, spent: Number },
    )
  }

  /** The hosts with most URLs fetched. */
  busiestHosts(atMost: number): Promise<HostSummary[]> {
    return this.rows(
      `WITH known AS (SELECT host_id, count(*) AS known FROM url GROUP BY host_id),
         fetched AS (SELECT u.host_id, count(*) AS fetched
                     FROM (SELECT DISTINCT url_id FROM fetch_log WHERE cost > 0) f JOIN url u ON u.id = f.url_id
                     GROUP BY u.host_id)
       SELECT h.name AS host, known, coalesce(fetched, 0) AS fetched
       FROM known JOIN host h ON h.id = known.host_id LEFT JOIN fetched ON fetched.host_id = h.id
       ORDER BY fetched DESC, known DESC, host LIMIT ${atMost}`,
      { host: String, known: Number, fetched: Number },
    )
  }

  /** The hosts with most URLs that were denied when last asked for. */
  refusingHosts(atMost: number): Promise<RefusingHost[]> {
    return this.rows(
      `SELECT h.name AS host, count(*) AS urls, arg_max(f.status, f.id) AS status,
              arg_max(nullif(f.reason, ''), f.id) AS reason
       FROM fetch_log f JOIN url u ON u.id = f.url_id JOIN host h ON h.id = u.host_id
            JOIN (SELECT url_id, max(id) AS id FROM fetch_log WHERE cost > 0
                    AND url_id IN (SELECT url_id FROM fetch_log WHERE outcome = 'denied') GROUP BY url_id) latest
              ON latest.id = f.id
       WHERE f.outcome = 'denied'
       GROUP BY h.name ORDER BY urls DESC, host LIMIT ${atMost}`,
      { host: String, urls: Number, status: Number, reason: maybe(String) },
    )
  }

  /** Fetches paid for since then, minute by minute, oldest first; of each minute the last counts. */
  sentSince(at: number) {
    return this.rows(
      `SELECT max(fetched_at) AS "at", sum(cost) AS fetches FROM fetch_log
       WHERE fetched_at > ${at} AND cost > 0 GROUP BY floor(fetched_at / 60) ORDER BY "at"`,
      { at: Number, fetches: Number },
    )
  }

  /** Contents that said what another page said, or that the page was not found. */
  uselessContents() {
    return this.row(
      `SELECT count(duplicate_of) AS "duplicates",
              count(CASE WHEN soft_error THEN 1 END) AS "softErrors" FROM page`,
      { duplicates: Number, softErrors: Number },
    )
  }

  /** Whether anybody's searches are known. */
  async hasSearches(): Promise<boolean> {
    const sql = 'SELECT count(*) AS searches FROM asked'
    return (await this.row(sql, { searches: Number })).searches > 0
  }
}
