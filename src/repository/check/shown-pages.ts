import type { DuckDBConnection } from '@duckdb/node-api'
import type { Frontier } from '#frontier/frontier.ts'
import { maybe, namedRows } from '../database/named-rows.ts'
import type { RecordPlace } from '../warc/stored-answer.ts'

/** What the tables tell of a page that may be found by searchers. */
export interface ShownPage {
  readonly fetchId: number
  /** Seconds since 1970. */
  readonly fetchedAt: number
  /** Its text may be searched, but not shown. */
  readonly isHidden: boolean
  /** Says the same as another page, or names it as its better address: it is shown only in that one's place. */
  readonly isDuplicate: boolean
  /** Where its content lies, if it was kept. */
  readonly warc?: RecordPlace
}

/** The pages that may be found, by URL number: by their latest content, and as far as they are not lost. */
export async function readShownPages(
  connection: DuckDBConnection,
  frontier: Frontier,
): Promise<Map<number, ShownPage>> {
  const rows = await namedRows(
    connection,
    `SELECT p.url_id, p.fetch_id, p.fetched_at,
           coalesce(p.nosnippet, false) OR coalesce(p.noarchive, false) AS is_hidden,
           p.duplicate_of IS NOT NULL AS is_duplicate, f.warc_file, f.warc_offset
    FROM page p JOIN fetch_log f ON f.id = p.fetch_id
    WHERE p.fetch_id IN (SELECT max(fetch_id) FROM page GROUP BY url_id)
      AND coalesce(p.form, 'page') = 'page' AND NOT p.noindex AND NOT coalesce(p.soft_error, false)
      AND coalesce(p.unavailable_after > (SELECT max(fetched_at) FROM fetch_log), true)
    ORDER BY p.url_id`,
    {
      ...{ url_id: Number, fetch_id: Number, fetched_at: Number },
      ...{ is_hidden: Boolean, is_duplicate: Boolean },
      ...{ warc_file: maybe(String), warc_offset: Number },
    },
  )
  const shown = rows.filter(({ url_id }) => !frontier.isLost(url_id))
  return new Map(
    shown.map(({ warc_file: file, warc_offset: offset, ...row }) => [
      row.url_id,
      {
        fetchId: row.fetch_id,
        fetchedAt: row.fetched_at,
        isHidden: row.is_hidden,
        isDuplicate: row.is_duplicate,
        warc: file === undefined ? undefined : { file, offset },
      },
    ]),
  )
}

/** Forgets what content these fetches brought, so that the next fetch of each page is news and is indexed. */
export async function forgetContents(
  connection: DuckDBConnection,
  fetchIds: readonly number[],
): Promise<void> {
  if (fetchIds.length === 0) return
  await connection.run(`
    UPDATE page SET content_hash = repeat('0', 64), etag = NULL, last_modified = NULL
    WHERE fetch_id IN (${fetchIds.join()})`)
}
