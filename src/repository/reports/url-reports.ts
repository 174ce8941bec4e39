import type { DuckDBConnection } from '@duckdb/node-api'
import { maybe, namedRow, namedRows } from '../database/named-rows.ts'

/** One try to fetch a URL. */
export interface PastFetch {
  readonly at: number
  readonly purpose: string
  readonly outcome: string
  readonly status?: number
  readonly reason?: string
  readonly changed?: boolean
  readonly newUrls: number
  /** What the plan expected of it, and what it was worth to the queries then tracked. */
  readonly predictedGain: number
  readonly realisedGain?: number
}

/** The latest content of a page. */
export interface LatestCopy {
  readonly title: string
  readonly fetchedAt: number
  readonly textLength: number
  readonly contentHash: string
  /** Different contents it ever had. */
  readonly versions: number
  readonly etag?: string
  readonly lastModified?: string
  readonly language?: string
  readonly canonical?: string
  readonly noindex: boolean
  readonly softError: boolean
  /** The page that said the same before, and those that came later, by their numbers. */
  readonly duplicateOf?: number
  readonly duplicates: readonly number[]
}

/** Requests to a host that were paid for. */
export interface HostFetches {
  readonly fetches: number
  /** Those that gave a page. */
  readonly pages: number
  /** Absent if it was never measured. */
  readonly meanRealisedGain?: number
}

/** A URL whose latest redirect leads there. */
export interface KnownRedirect {
  readonly id: number
  readonly url: string
  readonly source: string
  readonly target: string
}

/** What the tables tell of single URLs and hosts. */
export class UrlReports {
  readonly #connection: DuckDBConnection

  constructor(connection: DuckDBConnection) {
    this.#connection = connection
  }

  /** All fetches of a URL that were finished, the first one first. */
  async fetchesOf(url: number): Promise<PastFetch[]> {
    const rows = await namedRows(
      this.#connection,
      `SELECT fetched_at AS at, purpose, outcome, status, nullif(reason, '') AS reason, changed,
              coalesce(new_urls, 0) AS new_urls, predicted_gain, realised_gain
       FROM fetch_log WHERE url_id = ${url} ORDER BY id`,
      {
        ...{ at: Number, purpose: String, outcome: String, status: maybe(Number) },
        ...{ reason: maybe(String), changed: maybe(Boolean), new_urls: Number },
        ...{ predicted_gain: Number, realised_gain: maybe(Number) },
      },
    )
    return rows.map(({ at, purpose, outcome, status, reason, changed, ...row }) => ({
      ...{ at, purpose, outcome },
      ...(status !== undefined && { status }),
      ...(reason !== undefined && { reason }),
      ...(changed !== undefined && { changed }),
      newUrls: row.new_urls,
      predictedGain: row.predicted_gain,
      ...(row.realised_gain !== undefined && { realisedGain: row.realised_gain }),
    }))
  }

  /** The copy held of a URL, if there is one. */
  async copyOf(url: number): Promise<LatestCopy | undefined> {
    const [latest] = await namedRows(
      this.#connection,
      `SELECT coalesce(title, '') AS title, fetched_at, text_length, content_hash,
              nullif(etag, '') AS etag, nullif(last_modified, '') AS last_modified,
              nullif(language, '') AS language, nullif(canonical, '') AS canonical,
              coalesce(noindex, false) AS noindex, coalesce(soft_error, false) AS soft_error, duplicate_of
       FROM page WHERE url_id = ${url} ORDER BY fetch_id DESC LIMIT 1`,
      {
        ...{ title: String, fetched_at: Number, text_length: Number, content_hash: String },
        ...{ etag: maybe(String), last_modified: maybe(String), language: maybe(String) },
        ...{ canonical: maybe(String), noindex: Boolean, soft_error: Boolean },
        duplicate_of: maybe(Number),
      },
    )
    if (latest === undefined) return undefined
    const { versions } = await namedRow(
      this.#connection,
      `SELECT count(DISTINCT content_hash) AS versions FROM page WHERE url_id = ${url}`,
      { versions: Number },
    )
    const copies = await namedRows(
      this.#connection,
      `SELECT DISTINCT url_id FROM page WHERE duplicate_of = ${url} ORDER BY url_id`,
      { url_id: Number },
    )
    const { etag, last_modified: lastModified, language, canonical } = latest
    return {
      title: latest.title,
      fetchedAt: latest.fetched_at,
      textLength: latest.text_length,
      contentHash: latest.content_hash,
      versions,
      ...(etag !== undefined && { etag }),
      ...(lastModified !== undefined && { lastModified }),
      ...(language !== undefined && { language }),
      ...(canonical !== undefined && { canonical }),
      noindex: latest.noindex,
      softError: latest.soft_error,
      ...(latest.duplicate_of !== undefined && { duplicateOf: latest.duplicate_of }),
      duplicates: copies.map(({ url_id }) => url_id),
    }
  }

  async fetchesOfHost(host: number): Promise<HostFetches> {
    const { gain, ...counts } = await namedRow(
      this.#connection,
      `SELECT count(*) AS fetches, avg(realised_gain) AS gain,
              count(CASE WHEN outcome IN ('page', 'unchanged') THEN 1 END) AS pages
       FROM fetch_log WHERE cost > 0 AND url_id IN (SELECT id FROM url WHERE host_id = ${host})`,
      { fetches: Number, pages: Number, gain: maybe(Number) },
    )
    return { ...counts, ...(gain !== undefined && { meanRealisedGain: gain }) }
  }

  /** The latest titles of pages, by their numbers. */
  async titlesOf(urls: readonly number[]): Promise<Map<number, string>> {
    if (urls.length === 0) return new Map()
    const rows = await namedRows(
      this.#connection,
      `SELECT url_id, coalesce(arg_max(title, fetch_id), '') AS title FROM page
       WHERE url_id IN (${[...new Set(urls)].join(', ')}) GROUP BY url_id`,
      { url_id: Number, title: String },
    )
    return new Map(rows.map(({ url_id, title }) => [url_id, title]))
  }

  /** Seeds and targets of redirects that redirected, with where they last led. */
  redirects(): Promise<KnownRedirect[]> {
    return namedRows(
      this.#connection,
      `SELECT u.id, u.url, u.source, arg_max(f.reason, f.id) AS target
       FROM url u JOIN fetch_log f ON f.url_id = u.id
       WHERE u.source IN ('seed', 'redirect') AND f.outcome = 'redirect'
       GROUP BY u.id, u.url, u.source ORDER BY u.id`,
      { id: Number, url: String, source: String, target: String },
    )
  }
}
