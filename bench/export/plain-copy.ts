/**
 * The peer of `bench/export.ts`: one statement of DuckDB's that writes a table whole, `node bench/export/plain-copy.ts DIR OUT`.
 * It filters nothing, cannot go on after a kill, and knows no texts.
 */
import { openDatabaseToRead } from '#repository/database/open-database.ts'

const [dir, out] = process.argv.slice(2)
const { connection, close } = await openDatabaseToRead(dir)
const copied = await connection.runAndReadAll(
  `COPY (SELECT u.url, f.* FROM fetch_log f JOIN url u ON u.id = f.url_id ORDER BY f.id)
   TO '${out}' (FORMAT json)`,
)
close()
console.log(JSON.stringify({ rows: Number(copied.getRows()[0][0]) }))
