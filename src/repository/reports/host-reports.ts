import { maybe } from '../database/named-rows.ts'
import { Report } from './report.ts'

/** What was spent on a host or a section of it, and what that gained. */
interface Spent {
  readonly known: number
  readonly fetches: number
  readonly pages: number
  readonly gone: number
  /** Fetches that brought nothing, as hosts failed or refused. */
  readonly errors: number
  readonly gain: number
  readonly lastAt?: number
}

export interface HostSpent extends Spent {
  readonly id: number
  readonly host: string
}

export interface SectionSpent extends Spent {
  /** The first folder of its addresses, as in `/docs/`. */
  readonly section: string
}

/** What sitemaps and feeds claimed of a host's pages, as far as it was tested. */
export interface ClaimsTested {
  readonly right: number
  readonly wrong: number
  /** Pages that changed though a sitemap or feed that dates them said nothing. */
  readonly missed: number
}

/** A sitemap or feed that was read, or is to be. */
export interface HostList {
  readonly url: string
  readonly source: string
  readonly readAt?: number
  readonly newUrls: number
}

const ERRORS = `('failed', 'denied', 'forbidden', 'disallowed', 'unreadable')`
const FIGURES = `count(f.id) FILTER (WHERE f.cost > 0) AS fetches,
  count(f.id) FILTER (WHERE f.cost > 0 AND f.outcome IN ('page', 'unchanged')) AS pages,
  count(f.id) FILTER (WHERE f.outcome = 'gone') AS gone,
  count(f.id) FILTER (WHERE f.outcome IN ${ERRORS}) AS errors,
  coalesce(sum(f.realised_gain), 0) AS gain, max(f.fetched_at) AS "lastAt"`
const SPENT = {
  ...{ known: Number, fetches: Number, pages: Number, gone: Number, errors: Number },
  ...{ gain: Number, lastAt: maybe(Number) },
}

/** What the tables tell of hosts and their sections. */
export class HostReports extends Report {
  /** Hosts whose names hold a text, those with most fetches first. */
  hosts(named: string, offset: number, atMost: number): Promise<HostSpent[]> {
    return this.#hosts('contains(h.name, $named)', '', named, offset, atMost)
  }

  /** One host by its name. */
  async host(named: string): Promise<HostSpent | undefined> {
    const itsUrls = 'WHERE host_id = (SELECT id FROM host WHERE name = $named)'
    return (await this.#hosts('h.name = $named', itsUrls, named, 0, 1)).at(0)
  }

  /** Of the URLs that are named alone, where only some are needed. */
  #hosts(
    which: string,
    urls: string,
    named: string,
    offset: number,
    atMost: number,
  ): Promise<HostSpent[]> {
    return this.rows(
      `WITH its_urls AS (SELECT id, host_id FROM url ${urls}),
         known AS (SELECT host_id, count(*) AS known FROM its_urls GROUP BY host_id),
         spent AS (SELECT u.host_id, ${FIGURES} FROM fetch_log f JOIN its_urls u ON u.id = f.url_id GROUP BY u.host_id)
       SELECT h.id, h.name AS host, coalesce(known, 0) AS known, coalesce(fetches, 0) AS fetches,
              coalesce(pages, 0) AS pages, coalesce(gone, 0) AS gone, coalesce(errors, 0) AS errors,
              coalesce(gain, 0) AS gain, "lastAt"
       FROM host h LEFT JOIN known ON known.host_id = h.id LEFT JOIN spent ON spent.host_id = h.id
       WHERE ${which}
       ORDER BY fetches DESC, known DESC, host LIMIT ${atMost} OFFSET ${offset}`,
      { id: Number, host: String, ...SPENT },
      { named },
    )
  }

  /** The sections of a host, those with most fetches first. */
  sections(host: number, atMost: number): Promise<SectionSpent[]> {
    return this.rows(
      `WITH urls AS (SELECT id, regexp_extract(url, '^[a-z]+://[^/?#]*(/(?:[^/?#]*/)?)', 1) AS section
                     FROM url WHERE host_id = ${host}),
         known AS (SELECT section, count(*) AS known FROM urls GROUP BY section),
         spent AS (SELECT section, ${FIGURES} FROM urls JOIN fetch_log f ON f.url_id = urls.id GROUP BY section)
       SELECT known.section, known, coalesce(fetches, 0) AS fetches, coalesce(pages, 0) AS pages,
              coalesce(gone, 0) AS gone, coalesce(errors, 0) AS errors, coalesce(gain, 0) AS gain, "lastAt"
       FROM known LEFT JOIN spent ON spent.section = known.section
       ORDER BY fetches DESC, known DESC, known.section LIMIT ${atMost}`,
      { section: String, ...SPENT },
    )
  }

  /** What went wrong at a host: the words of outcomes, and how often they came. */
  troubles(
    host: number,
    atMost: number,
  ): Promise<
    { outcome: string; status?: number; reason: string; fetches: number; lastAt: number }[]
  > {
    return this.rows(
      `SELECT outcome, status, coalesce(reason, '') AS reason, count(*) AS fetches, max(fetched_at) AS "lastAt"
       FROM fetch_log WHERE outcome IN ${ERRORS}
         AND url_id IN (SELECT id FROM url WHERE host_id = ${host})
       GROUP BY outcome, status, reason ORDER BY fetches DESC, reason LIMIT ${atMost}`,
      {
        ...{ outcome: String, status: maybe(Number), reason: String },
        ...{ fetches: Number, lastAt: Number },
      },
    )
  }

  /** How true the claims of a host's sitemaps and feeds were. */
  claims(host: number): Promise<ClaimsTested> {
    return this.row(
      `SELECT count(CASE WHEN claim_right THEN 1 END) AS "right", count(CASE WHEN NOT claim_right THEN 1 END) AS wrong,
              count(CASE WHEN unclaimed AND content_changed THEN 1 END) AS missed
       FROM fetch_log WHERE url_id IN (SELECT id FROM url WHERE host_id = ${host})`,
      { right: Number, wrong: Number, missed: Number },
    )
  }

  /** The sitemaps and feeds of a host, as they were found. */
  lists(host: number, atMost: number): Promise<HostList[]> {
    return this.rows(
      `SELECT u.url, u.source, max(f.fetched_at) AS "readAt", coalesce(sum(f.new_urls), 0) AS "newUrls"
       FROM url u LEFT JOIN fetch_log f ON f.url_id = u.id AND f.outcome IN ('page', 'unchanged')
       WHERE u.host_id = ${host} AND (u.source IN ('robots', 'usual-place')
         OR u.id IN (SELECT url_id FROM page WHERE form IN ('sitemap', 'feed')))
       GROUP BY u.id, u.url, u.source ORDER BY u.id LIMIT ${atMost}`,
      { url: String, source: String, readAt: maybe(Number), newUrls: Number },
    )
  }
}
