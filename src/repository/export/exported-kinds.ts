import {
  REL_ALTERNATE,
  REL_FEED,
  REL_NOFOLLOW,
  REL_SITEMAP,
  REL_SPONSORED,
  REL_UGC,
} from '#parse/page/page.ts'
import { sqlText } from '../database/sql-text.ts'
import {
  fieldConditions,
  languageCondition,
  type Selection,
  timeCondition,
  wordCondition,
} from './selection.ts'

/**
 * Something that can be exported. `units` is SQL of what is handed out whole: a position in the crawl's log, and
 * about how many bytes its rows take. `rows` is SQL of the rows of those in `part`. Whoever has all up to a
 * position misses nothing by going on from there, as what changes later gets a later one.
 */
export interface ExportedKind {
  readonly units: (selection: Selection, ofSites: string, after: number) => string
  readonly rows: string
  /** SQL of where the exchanges of those in `part` lie in WARC files, if they have any. */
  readonly captures?: string
  /** Whether rows have texts of pages, which lie beside the tables. */
  readonly hasTexts?: boolean
  /** Whether positions are of no meaning later: each export begins anew. */
  readonly isWhole?: boolean
}

export const EXPORTED = ['pages', 'links', 'fetches', 'queries'] as const
export type ExportedName = (typeof EXPORTED)[number]

const TELLING = "outcome NOT IN ('failed', 'disallowed', 'forbidden')"
const ROW_BYTES = 500

/** Seconds since 1970 as a point in time. */
const time = (column: string) => `make_timestamp((${column} * 1e6)::BIGINT)`

/** A text that is JSON, as what it says; one that is none, as older directories may hold, as it stands. */
const json = (column: string) =>
  `CASE WHEN ${column} <> '' THEN
     CASE WHEN json_valid(${column}) THEN ${column}::JSON ELSE to_json(${column}) END
   END`

/**
 * Pages that were ever held: their last content, and since when they are as they are. `position` is the fetch that told
 * so: it brought that content, found the page gone, or found it again.
 */
function pagesSince(selection: Selection, ofSites: string, after: number): string {
  // Whoever follows asks often, and few pages were fetched since.
  const fetched = `url_id IN (SELECT url_id FROM fetch_log WHERE id > ${after})`
  return `
    WITH content AS (
      SELECT url_id, max(fetch_id) AS content_id, min(fetch_id) AS first_id FROM page
      WHERE ${fetched} GROUP BY url_id
    ), told AS (
      SELECT f.id, f.url_id, f.fetched_at, content_id, first_id,
             CASE WHEN f.outcome = 'unchanged' THEN 'page' ELSE f.outcome END AS state
      FROM fetch_log f JOIN content c ON c.url_id = f.url_id WHERE f.${TELLING} AND f.id >= first_id
    ), turns AS (
      SELECT *, lag(state) OVER (PARTITION BY url_id ORDER BY id) AS before FROM told
    ), latest AS (
      SELECT url_id, any_value(content_id) AS content_id, any_value(first_id) AS first_id,
             max(id) FILTER (state IS DISTINCT FROM before OR id = content_id) AS position,
             arg_max(state, id) AS state, max(fetched_at) AS seen_at
      FROM turns GROUP BY url_id
    )
    SELECT l.*, coalesce(p.text_length, 0) + ${ROW_BYTES} AS bytes
    FROM latest l
    JOIN url u ON u.id = l.url_id
    JOIN page p ON p.url_id = l.url_id AND p.fetch_id = l.content_id
    JOIN fetch_log f ON f.id = l.position
    WHERE ${ofSites} AND ${wordCondition('l.state', selection.states)}
      AND ${languageCondition('p.language', selection.language)}
      AND ${fieldConditions('p.fields', selection.fields)}
      AND ${timeCondition('f.fetched_at', selection)}`
}

const captures = (ofPart: string) => `
  SELECT f.warc_file AS file, f.warc_offset AS offset
  FROM part JOIN fetch_log f ON f.id = ${ofPart} WHERE f.warc_file <> '' ORDER BY f.id`

const PAGES: ExportedKind = {
  hasTexts: true,
  captures: captures('part.content_id'),
  units: pagesSince,
  rows: `
    SELECT part.position, u.url, h.name AS host, part.state,
           CASE WHEN part.state <> 'page' THEN 'gone' WHEN part.position = part.first_id THEN 'new'
                ELSE 'changed' END AS event,
           ${time('told.fetched_at')} AS since, ${time('part.seen_at')} AS seen_at,
           ${time('p.fetched_at')} AS content_at, ${time('u.first_seen')} AS known_at,
           told.status, nullif(p.title, '') AS title, nullif(p.language, '') AS language,
           nullif(p.canonical, '') AS canonical, p.form, nullif(p.format, '') AS format,
           p.text_length, coalesce(p.cut, false) AS cut, p.content_hash,
           same.url AS duplicate_of, coalesce(p.noindex, false) AS noindex,
           coalesce(p.soft_error, false) AS soft_error, u.depth, u.source,
           nullif(p.data_type, '') AS data_type, nullif(p.data_title, '') AS data_title,
           nullif(p.description, '') AS description, nullif(p.author, '') AS author,
           ${time('p.published_at')} AS published_at, ${time('p.modified_at')} AS modified_at,
           nullif(p.image, '') AS image, ${json('p.data')} AS data,
           ${json('p.fields')} AS fields,
           nullif(p.last_modified, '') AS last_modified, nullif(p.etag, '') AS etag,
           nullif(content.warc_file, '') AS warc_file, content.warc_offset, texts.text
    FROM part
    JOIN url u ON u.id = part.url_id
    JOIN host h ON h.id = u.host_id
    JOIN page p ON p.url_id = part.url_id AND p.fetch_id = part.content_id
    JOIN fetch_log told ON told.id = part.position
    LEFT JOIN fetch_log content ON content.id = part.content_id
    LEFT JOIN url same ON same.id = p.duplicate_of
    LEFT JOIN texts ON texts.url_id = part.url_id
    ORDER BY part.position`,
}

/** What a link says of itself, and where it stood if not on a page. */
const REL_WORDS = Object.entries({
  nofollow: REL_NOFOLLOW,
  ugc: REL_UGC,
  sponsored: REL_SPONSORED,
  alternate: REL_ALTERNATE,
  sitemap: REL_SITEMAP,
  feed: REL_FEED,
})
  .map(([word, bit]) => `CASE WHEN link.rel & ${bit} > 0 THEN '${word}' END`)
  .join(', ')

/** The links of pages that are held. Those of one page are whole: they take the place of all it had before. */
const LINKS: ExportedKind = {
  units: (selection, ofSites, after) => `
    WITH unit AS (${pagesSince({ ...selection, states: ['page'] }, ofSites, after)})
    SELECT unit.* EXCLUDE (bytes), ${ROW_BYTES} * count(*) AS bytes
    FROM unit JOIN link ON link.src = unit.url_id AND link.fetch_id = unit.content_id GROUP BY ALL`,
  rows: `
    SELECT part.position, src.url AS source, dst.url AS target, nullif(anchor.text, '') AS anchor,
           nullif(concat_ws(' ', ${REL_WORDS}), '') AS rel
    FROM part
    JOIN link ON link.src = part.url_id AND link.fetch_id = part.content_id
    JOIN url src ON src.id = link.src
    JOIN url dst ON dst.id = link.dst
    LEFT JOIN anchor ON anchor.id = link.anchor_id
    ORDER BY part.position, link.rowid`,
}

const FETCHES: ExportedKind = {
  captures: captures('part.position'),
  units: (selection, ofSites) => `
    SELECT f.id AS position, ${ROW_BYTES} AS bytes
    FROM fetch_log f JOIN url u ON u.id = f.url_id
    WHERE ${ofSites} AND ${wordCondition('f.outcome', selection.states)}
      AND ${timeCondition('f.fetched_at', selection)}`,
  rows: `
    SELECT part.position, u.url, ${time('f.fetched_at')} AS fetched_at, f.purpose, f.outcome, f.status,
           nullif(f.reason, '') AS reason, f.cost, f.bytes, f.ms, f.changed, f.new_urls, f.new_links,
           f.predicted_gain, f.realised_gain, f.bid, f.probability,
           nullif(f.warc_file, '') AS warc_file, f.warc_offset
    FROM part JOIN fetch_log f ON f.id = part.position JOIN url u ON u.id = f.url_id
    ORDER BY part.position`,
}

/** What was searched for. Positions are numbers of queries, which say nothing of when they were asked. */
const QUERIES: ExportedKind = {
  isWhole: true,
  units: (selection) => `
    SELECT DISTINCT a.query_id AS position, ${ROW_BYTES} AS bytes
    FROM asked a WHERE ${timeCondition('a.asked_at', selection)}`,
  rows: `
    SELECT part.position, q.text AS query, searches, coalesce(clicks, 0) AS clicks,
           ${time('first_asked')} AS first_asked, ${time('last_asked')} AS last_asked
    FROM part
    JOIN query q ON q.id = part.position
    JOIN (SELECT query_id, sum(count) AS searches, min(asked_at) AS first_asked, max(asked_at) AS last_asked
          FROM asked GROUP BY query_id) a ON a.query_id = part.position
    LEFT JOIN (SELECT query_id, sum(count) AS clicks FROM click GROUP BY query_id) c
      ON c.query_id = part.position
    ORDER BY part.position`,
}

export const EXPORTED_KINDS: Readonly<Record<ExportedName, ExportedKind>> = {
  pages: PAGES,
  links: LINKS,
  fetches: FETCHES,
  queries: QUERIES,
}

/** How a file of rows is written. Times are as ISO 8601 has them where a format knows none. */
export const ROW_FORMATS = {
  jsonl: `FORMAT json, TIMESTAMPFORMAT ${sqlText('%Y-%m-%dT%H:%M:%S.%gZ')}`,
  csv: `FORMAT csv, HEADER true, TIMESTAMPFORMAT ${sqlText('%Y-%m-%dT%H:%M:%S.%gZ')}`,
  parquet: 'FORMAT parquet, COMPRESSION zstd',
} as const

/** Rows, or exchanges as they went over the wire. */
export const EXPORT_FORMATS = ['jsonl', 'csv', 'parquet', 'warc'] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]
