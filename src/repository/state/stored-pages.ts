import type { DuckDBConnection } from '@duckdb/node-api'
import type { TextMarks } from '#frontier/texts/duplicates.ts'
import { titleMark } from '#frontier/texts/text-marks.ts'
import { readColumns } from '../database/read-columns.ts'
import { readTexts } from '../database/read-texts.ts'
import { PAGE } from '../tables/page-tables.ts'

/** What the tables tell of one content of a page, as a frontier needs it. */
export interface StoredPage {
  readonly fetchId: number
  /** The first 52 bits of its hash. */
  readonly contentKey: number
  readonly etag: string
  readonly lastModified: string
  /** No sitemap, no feed. */
  readonly isPage: boolean
  /** To anybody, and for good. */
  readonly isShown: boolean
  readonly marks: TextMarks
  readonly duplicateOf: number | null
  readonly unavailableAfter: number | null
}

/** The pages that the fetches in [from, to) brought, in their order. */
export async function readStoredPages(
  connection: DuckDBConnection,
  from: number,
  to: number,
): Promise<StoredPage[]> {
  const texts = (text: 'etag' | 'last_modified' | 'title') =>
    readTexts(connection, PAGE, { id: 'fetch_id', text }, from, to)
  const etags = await texts('etag')
  const lastModified = await texts('last_modified')
  const titles = await texts('title')
  const pages: StoredPage[] = []
  const read = readColumns(
    connection,
    PAGE,
    [
      ...(['fetch_id', 'content_key', 'form', 'fingerprint', 'simhash', 'words'] as const),
      ...(['noindex', 'soft_error', 'duplicate_of', 'unavailable_after'] as const),
    ],
    `WHERE fetch_id >= ${from} AND fetch_id < ${to} ORDER BY fetch_id`,
  )
  for await (const { rowCount, columns } of read) {
    const { form, fingerprint, simhash, noindex, soft_error: softError } = columns
    for (let row = 0; row < rowCount; row++) {
      const at = pages.length
      const original = columns.duplicate_of[row]
      const until = columns.unavailable_after[row]
      pages.push({
        fetchId: columns.fetch_id[row],
        contentKey: columns.content_key[row],
        etag: etags[at],
        lastModified: lastModified[at],
        isPage: form[row] === 'page',
        isShown: noindex[row] === false && softError[row] !== true && Number.isNaN(until),
        marks: {
          fingerprint: [fingerprint[2 * row], fingerprint[2 * row + 1]],
          simhash: [simhash[2 * row], simhash[2 * row + 1]],
          words: columns.words[row],
          title: titleMark(titles[at]),
        },
        duplicateOf: original < 0 ? null : original,
        unavailableAfter: Number.isNaN(until) ? null : until,
      })
    }
  }
  return pages
}
