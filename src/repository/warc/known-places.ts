import { UsageError } from '#parse/usage-error.ts'
import { holdsCrawl } from '../state/crawl-folder.ts'
import { openDatabaseToRead } from '../state/open-database.ts'
import { chunksOf, vectorsOf } from '../state/read-chunks.ts'
import type { KnownPlace } from './inspect-warcs.ts'

/** Where the tables say that answers lie; nothing if they cannot be read, which others tell. */
export async function* knownPlaces(dir: string): AsyncGenerator<KnownPlace> {
  if (!holdsCrawl(dir)) return
  const opened = await openDatabaseToRead(dir).catch((error: unknown) => {
    if (error instanceof UsageError) return undefined
    throw error
  })
  if (!opened) return
  const sql = `SELECT warc_file, warc_offset::DOUBLE, url FROM fetch_log f JOIN url u ON u.id = f.url_id
               WHERE warc_file IS NOT NULL`
  try {
    for await (const chunk of chunksOf(opened.connection, sql)) {
      const [files, offsets, urls] = vectorsOf(chunk)
      for (let row = 0; row < chunk.rowCount; row++)
        yield {
          file: String(files.getItem(row)),
          offset: Number(offsets.getItem(row)),
          url: String(urls.getItem(row)),
        }
    }
  } finally {
    opened.close()
  }
}
