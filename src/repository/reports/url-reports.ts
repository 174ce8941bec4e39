import { maybe } from '../database/named-rows.ts'
import { Report } from './report.ts'

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
  /** What of it others gained, as its links call them by other words. */
  readonly anchorGain?: number
}

/** How a URL came to be known. */
interface FoundUrl {
  readonly id: number
  readonly foundBy: string
  /** The page that first linked to it. */
  readonly finder?: string
  readonly firstSeen: number
  readonly depth: number
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
  /** What kind of file it is, if not a page in HTML. */
  readonly format?: string
  /** What it says of itself for machines; times in seconds since 1970. */
  readonly type?: string
  readonly description?: string
  readonly author?: string
  readonly publishedAt?: number
  readonly modifiedAt?: number
  readonly image?: string
  /** The operator's own fields, as JSON. */
  readonly fields?: string
  readonly noindex: boolean
  readonly softError: boolean
  /** It is longer than what may be read of a page. */
  readonly isCut: boolean
  /** The page that said the same before, and those that came later, by their numbers. */
  readonly duplicateOf?: number
  readonly duplicates: readonly number[]
}

/** A content that a page had. */
export interface PastContent {
  readonly at: number
  readonly title: string
  readonly textLength: number
  /** Where the answer that brought it is kept, if it is. */
  readonly warcFile?: string
  readonly warcOffset?: number
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
interface KnownRedirect {
  readonly id: number
  readonly url: string
  readonly source: string
  readonly target: string
}

/** A seed that was tried and had nothing to show, with what came of it last. */
export interface SilentSeed {
  readonly url: string
  readonly outcome: string
  readonly reason?: string
  readonly status?: number
}

/** The first of them, and how many there are. */
export interface SilentSeeds {
  readonly inAll: number
  readonly named: readonly SilentSeed[]
}

/** What the tables tell of single URLs and hosts. */
export class UrlReports extends Report {
  /** A URL of a host by its address; undefined if nobody knows it. */
  async find(url: string, host: string): Promise<FoundUrl | undefined> {
    const found = await this.rows(
      `SELECT u.id, u.source AS "foundBy", f.url AS finder, u.first_seen AS "firstSeen", u.depth
       FROM url u LEFT JOIN url f ON f.id = u.found_by
       WHERE u.host_id = (SELECT id FROM host WHERE name = $host) AND u.url = $url`,
      {
        ...{ id: Number, foundBy: String, finder: maybe(String) },
        ...{ firstSeen: Number, depth: Number },
      },
      { url, host },
    )
    return found.at(0)
  }

  /** How many URLs a pattern with * matches (as `globTest` has it), how many of them ever gave a page, and the first few. */
  async matching(
    pattern: string,
    examples: number,
  ): Promise<{ urls: number; pages: number; examples: string[] }> {
    const like = pattern.replaceAll(/[\\%_]/g, '\\$&').replaceAll('*', '%')
    const isBare = !/^(https?:|\*)/.test(pattern)
    const matches = (text: string) => `u.url LIKE ${text} ESCAPE '\\'`
    const which = isBare
      ? `(${matches(`'http://' || $like`)} OR ${matches(`'https://' || $like`)})`
      : matches('$like')
    const counts = await this.row(
      `SELECT count(*) AS urls, count(p.url_id) AS pages
       FROM url u LEFT JOIN (SELECT DISTINCT url_id FROM page) p ON p.url_id = u.id WHERE ${which}`,
      { urls: Number, pages: Number },
      { like },
    )
    const first = await this.rows(
      `SELECT u.url FROM url u WHERE ${which} ORDER BY u.id LIMIT ${examples}`,
      { url: String },
      { like },
    )
    return { ...counts, examples: first.map(({ url }) => url) }
  }

  /** The addresses of URLs, by their numbers. */
  async addressesOf(urls: readonly number[]): Promise<Map<number, string>> {
    if (urls.length === 0) return new Map()
    const rows = await this.rows(
      `SELECT id, url FROM url WHERE id IN (${[...new Set(urls)].join(', ')})`,
      { id: Number, url: String },
    )
    return new Map(rows.map(({ id, url }) => [id, url]))
  }

  /** All fetches of a URL that were finished, the first one first. */
  fetchesOf(url: number): Promise<PastFetch[]> {
    return this.rows(
      `SELECT fetched_at AS at, purpose, outcome, status, nullif(reason, '') AS reason, changed,
              coalesce(new_urls, 0) AS "newUrls", predicted_gain AS "predictedGain",
              realised_gain AS "realisedGain", nullif(anchor_gain, 0) AS "anchorGain"
       FROM fetch_log WHERE url_id = ${url} ORDER BY id`,
      {
        ...{ at: Number, purpose: String, outcome: String, status: maybe(Number) },
        ...{ reason: maybe(String), changed: maybe(Boolean), newUrls: Number },
        ...{ predictedGain: Number, realisedGain: maybe(Number), anchorGain: maybe(Number) },
      },
    )
  }

  /** The copy held of a URL, if there is one. */
  async copyOf(url: number): Promise<LatestCopy | undefined> {
    const [latest] = await this.rows(
      `SELECT coalesce(title, '') AS "title", fetched_at AS "fetchedAt", text_length AS "textLength",
              content_hash AS "contentHash",
              (SELECT count(DISTINCT content_hash) FROM page WHERE url_id = ${url}) AS "versions",
              nullif(etag, '') AS "etag", nullif(last_modified, '') AS "lastModified",
              nullif(language, '') AS "language", nullif(canonical, '') AS "canonical",
              nullif(format, '') AS "format", nullif(data_type, '') AS "type",
              nullif(description, '') AS "description", nullif(author, '') AS "author",
              published_at AS "publishedAt", modified_at AS "modifiedAt",
              nullif(image, '') AS "image", nullif(fields, '') AS "fields",
              coalesce(noindex, false) AS "noindex", coalesce(soft_error, false) AS "softError",
              coalesce(cut, false) AS "isCut",
              duplicate_of AS "duplicateOf"
       FROM page WHERE url_id = ${url} ORDER BY fetch_id DESC LIMIT 1`,
      {
        ...{ title: String, fetchedAt: Number, textLength: Number, contentHash: String },
        ...{ versions: Number, etag: maybe(String), lastModified: maybe(String) },
        ...{ language: maybe(String), canonical: maybe(String), noindex: Boolean },
        ...{ format: maybe(String), type: maybe(String), description: maybe(String) },
        ...{ author: maybe(String), publishedAt: maybe(Number), modifiedAt: maybe(Number) },
        ...{ image: maybe(String), fields: maybe(String) },
        ...{ softError: Boolean, isCut: Boolean, duplicateOf: maybe(Number) },
      },
    )
    if (latest === undefined) return undefined
    const copies = await this.rows(
      `SELECT DISTINCT url_id FROM page WHERE duplicate_of = ${url} ORDER BY url_id`,
      { url_id: Number },
    )
    return { ...latest, duplicates: copies.map(({ url_id }) => url_id) }
  }

  fetchesOfHost(host: number): Promise<HostFetches> {
    return this.row(
      `SELECT count(*) AS "fetches", avg(realised_gain) AS "meanRealisedGain",
              count(CASE WHEN outcome IN ('page', 'unchanged') THEN 1 END) AS "pages"
       FROM fetch_log WHERE cost > 0 AND url_id IN (SELECT id FROM url WHERE host_id = ${host})`,
      { fetches: Number, pages: Number, meanRealisedGain: maybe(Number) },
    )
  }

  /** The latest titles of pages, by their numbers. */
  async titlesOf(urls: readonly number[]): Promise<Map<number, string>> {
    if (urls.length === 0) return new Map()
    const rows = await this.rows(
      `SELECT url_id, coalesce(arg_max(title, fetch_id), '') AS title FROM page
       WHERE url_id IN (${[...new Set(urls)].join(', ')}) GROUP BY url_id`,
      { url_id: Number, title: String },
    )
    return new Map(rows.map(({ url_id, title }) => [url_id, title]))
  }

  /** Seeds and targets of redirects that redirected, with where they last led. */
  redirects(): Promise<KnownRedirect[]> {
    return this.rows(
      `SELECT u.id, u.url, u.source, arg_max(f.reason, f.id) AS target
       FROM url u JOIN fetch_log f ON f.url_id = u.id
       WHERE u.source IN ('seed', 'redirect') AND f.outcome = 'redirect'
       GROUP BY u.id, u.url, u.source ORDER BY u.id`,
      { id: Number, url: String, source: String, target: String },
    )
  }

  /** Seeds that were tried and had nothing to show, but for those that turned us away; and how many there are in all. */
  async silentSeeds(atMost: number): Promise<SilentSeeds> {
    const rows = await this.rows(
      `SELECT u.url, last(f.outcome ORDER BY f.id) AS outcome, last(f.reason ORDER BY f.id) AS reason,
              last(f.status ORDER BY f.id) AS status, count(*) OVER () AS "inAll"
       FROM url u JOIN fetch_log f ON f.url_id = u.id
       WHERE u.source = 'seed' GROUP BY u.id, u.url
       HAVING NOT bool_or(f.outcome IN ('page', 'unchanged', 'redirect', 'denied'))
       ORDER BY u.id LIMIT ${atMost}`,
      {
        ...{ url: String, outcome: String, reason: maybe(String), status: maybe(Number) },
        inAll: Number,
      },
    )
    const [first] = rows
    return { inAll: first?.inAll ?? 0, named: rows.map(({ inAll: _, ...seed }) => seed) }
  }

  /** The contents that a URL had, the latest first, with where the answers lie that brought them. */
  contentsOf(url: number, atMost: number): Promise<PastContent[]> {
    return this.rows(
      `SELECT p.fetched_at AS at, coalesce(p.title, '') AS title, p.text_length AS "textLength",
              nullif(f.warc_file, '') AS "warcFile", f.warc_offset AS "warcOffset"
       FROM page p LEFT JOIN fetch_log f ON f.id = p.fetch_id
       WHERE p.url_id = ${url} ORDER BY p.fetch_id DESC LIMIT ${atMost}`,
      {
        ...{ at: Number, title: String, textLength: Number },
        ...{ warcFile: maybe(String), warcOffset: maybe(Number) },
      },
    )
  }
}
