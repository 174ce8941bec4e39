import { maybe } from '../database/named-rows.ts'
import { Report } from './report.ts'

/** Fetches paid for in a stretch of time, by what they were for, and what they gained. */
export interface Stretch {
  /** Its beginning, seconds since 1970. */
  readonly at: number
  readonly acquire: number
  readonly refresh: number
  readonly discover: number
  readonly gain: number
}

/** What one cycle did, and at which price. */
export interface CycleReport {
  readonly cycle: number
  readonly at: number
  readonly fetches: number
  readonly gain?: number
  readonly price?: number
}

/** What happened to the pages of one section since some time. */
export interface SectionChanges {
  /** Host and first folder. */
  readonly section: string
  readonly added: number
  readonly changed: number
  readonly gone: number
}

export interface ChangedPage {
  readonly url: string
  readonly what: 'added' | 'changed' | 'gone'
  readonly at: number
  readonly title: string
}

/** SQL: the host of a URL and its first folder, as in `a.org/docs/`. */
const SECTION = `regexp_extract(u.url, '^[a-z]+://([^/?#]*/(?:[^/?#]*/)?)', 1)`

/** SQL: fetches since $since that found something new, with what it was. The first page of a URL is an addition. */
const CHANGES = `WITH page_fetches AS (
    SELECT url_id, min(id) AS id FROM fetch_log WHERE outcome = 'page'
      AND url_id IN (SELECT url_id FROM fetch_log WHERE outcome = 'page' AND fetched_at >= $since) GROUP BY url_id),
  changes AS (
    SELECT f.id, f.url_id, f.fetched_at AS at, CASE
      WHEN f.outcome = 'gone' AND f.changed THEN 'gone'
      WHEN f.outcome = 'page' AND f.id = p.id THEN 'added'
      WHEN f.outcome = 'page' AND coalesce(f.content_changed, f.changed) THEN 'changed' END AS what
    FROM fetch_log f LEFT JOIN page_fetches p ON p.url_id = f.url_id
    WHERE f.fetched_at >= $since)`

/** What the tables tell of the course of a crawl. */
export class TimeReports extends Report {
  /** When the first and the last fetch were made; undefined before any. */
  span() {
    const sql = 'SELECT min(fetched_at) AS first, max(fetched_at) AS last FROM fetch_log'
    return this.row(sql, { first: maybe(Number), last: maybe(Number) })
  }

  /** Fetches paid for, by stretches of so many seconds, oldest first; empty stretches are left out. */
  stretches(seconds: number): Promise<Stretch[]> {
    const count = (task: string) =>
      `sum(CASE WHEN purpose = '${task}' THEN cost ELSE 0 END) AS ${task}`
    return this.rows(
      `SELECT floor(fetched_at / ${seconds}) * ${seconds} AS "at", ${['acquire', 'refresh', 'discover'].map(count).join(', ')},
              coalesce(sum(realised_gain), 0) AS gain
       FROM fetch_log GROUP BY 1 HAVING sum(cost) > 0 ORDER BY 1`,
      { at: Number, acquire: Number, refresh: Number, discover: Number, gain: Number },
    )
  }

  /** Every cycle with its fetches, its price and what it gained, as far as there was one. */
  cycles(): Promise<CycleReport[]> {
    return this.rows(
      `SELECT c.cycle, c.ended_at AS "at", coalesce(f.fetches, 0) AS fetches, f.gain, c.price
       FROM cycle c LEFT JOIN (SELECT cycle, sum(cost) AS fetches, sum(realised_gain) AS gain
                               FROM fetch_log GROUP BY cycle) f ON f.cycle = c.cycle
       ORDER BY c.cycle`,
      { cycle: Number, at: Number, fetches: Number, gain: maybe(Number), price: maybe(Number) },
    )
  }

  /** What was new, changed or gone since then, by section; those with most first. */
  changesBySection(since: number, atMost: number): Promise<SectionChanges[]> {
    const count = (what: string) => `count(CASE WHEN what = '${what}' THEN 1 END) AS ${what}`
    return this.rows(
      `${CHANGES} SELECT ${SECTION} AS section, ${['added', 'changed', 'gone'].map(count).join(', ')}
       FROM changes JOIN url u ON u.id = url_id WHERE what IS NOT NULL
       GROUP BY section ORDER BY count(*) DESC, section LIMIT ${atMost}`,
      { section: String, added: Number, changed: Number, gone: Number },
      { since },
    )
  }

  /** Single changes since then, the latest first; of one section, if that is named. */
  changesSince(
    since: number,
    section: string,
    offset: number,
    atMost: number,
  ): Promise<ChangedPage[]> {
    const isOfSection =
      section === ''
        ? ''
        : `AND url_id IN (SELECT u.id FROM url u WHERE contains(u.url, $section) AND ${SECTION} = $section)`
    return this.rows(
      `${CHANGES} SELECT u.url, what, "at", coalesce(p.title, '') AS title
       FROM (SELECT * FROM changes WHERE what IS NOT NULL ${isOfSection}
             ORDER BY id DESC LIMIT ${atMost} OFFSET ${offset}) c
         JOIN url u ON u.id = c.url_id LEFT JOIN page p ON p.fetch_id = c.id
       ORDER BY c.id DESC`,
      { url: String, what: (value) => value as ChangedPage['what'], at: Number, title: String },
      { since, ...(section !== '' && { section }) },
    )
  }
}
