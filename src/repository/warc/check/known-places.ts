import { chunksOf, vectorsOf } from '../../database/read-columns.ts'
import { askReadableTables } from '../../tables/readable-tables.ts'

/** A place where an answer should be. */
export interface KnownPlace {
  readonly file: string
  readonly offset: number
  readonly url: string
}

/** The first version of the tables that knows places. */
const WITH_PLACES = 2

/** Visits all places where the tables say that answers lie, as far as they can be read. */
export async function forEachPlace(dir: string, visit: (place: KnownPlace) => void): Promise<void> {
  const sql = `SELECT warc_file, warc_offset::DOUBLE, url FROM fetch_log f JOIN url u ON u.id = f.url_id
               WHERE warc_file IS NOT NULL`
  await askReadableTables(dir, WITH_PLACES, async (connection) => {
    for await (const chunk of chunksOf(connection, sql)) {
      const [files, offsets, urls] = vectorsOf(chunk)
      for (let row = 0; row < chunk.rowCount; row++)
        visit({
          file: String(files.getItem(row)),
          offset: Number(offsets.getItem(row)),
          url: String(urls.getItem(row)),
        })
    }
  })
}
