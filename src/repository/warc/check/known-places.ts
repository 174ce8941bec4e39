import { streamNamedRows } from '../../database/named-rows.ts'
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
  const sql = `SELECT warc_file AS file, warc_offset AS offset, url
               FROM fetch_log f JOIN url u ON u.id = f.url_id WHERE warc_file IS NOT NULL`
  const shape = { file: String, offset: Number, url: String }
  await askReadableTables(dir, WITH_PLACES, async (connection) => {
    for await (const place of streamNamedRows(connection, sql, shape)) visit(place)
  })
}
