import type { DuckDBConnection } from '@duckdb/node-api'
import type { TextMarks } from '#frontier/texts/duplicates.ts'
import { titleMark } from '#frontier/texts/text-marks.ts'
import { chunksOf, vectorsOf } from '../database/read-columns.ts'
import { readTexts } from '../database/read-texts.ts'
import { doubleItems, integerItems, wordsOf } from '../database/vector-items.ts'

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
  const texts = (text: string) =>
    readTexts(connection, { table: 'page', id: 'fetch_id', text }, from, to)
  const etags = await texts('etag')
  const lastModified = await texts('last_modified')
  const titles = await texts('title')
  const sql = `
    SELECT fetch_id::INTEGER, ('0x' || substr(content_hash, 1, 13))::BIGINT::DOUBLE, words::INTEGER,
           fingerprint, simhash, form = 'page',
           NOT (noindex OR coalesce(soft_error, false) OR unavailable_after IS NOT NULL),
           duplicate_of::INTEGER, unavailable_after
    FROM page WHERE fetch_id >= ${from} AND fetch_id < ${to} ORDER BY fetch_id`
  const pages: StoredPage[] = []
  for await (const chunk of chunksOf(connection, sql)) {
    const [fetches, contentKeys, words, fingerprints, simhashes, ...rest] = vectorsOf(chunk)
    const [isPage, isShown, originals, unavailableAfter] = rest
    const [fetchIds, keys] = [integerItems(fetches), doubleItems(contentKeys)]
    const [prints, hashes] = [wordsOf(fingerprints), wordsOf(simhashes)]
    for (let row = 0; row < chunk.rowCount; row++) {
      const at = pages.length
      pages.push({
        fetchId: fetchIds[row],
        contentKey: keys[row],
        etag: etags[at],
        lastModified: lastModified[at],
        isPage: isPage.getItem(row) === true,
        isShown: isShown.getItem(row) === true,
        marks: {
          fingerprint: [prints[2 * row], prints[2 * row + 1]],
          simhash: [hashes[2 * row], hashes[2 * row + 1]],
          words: words.getItem(row) as number,
          title: titleMark(titles[at]),
        },
        duplicateOf: originals.getItem(row) as number | null,
        unavailableAfter: unavailableAfter.getItem(row) as number | null,
      })
    }
  }
  return pages
}
