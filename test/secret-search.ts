import { globSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { constants, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { DuckDBInstance } from '@duckdb/node-api'

/** Something that was written or sent, by its name. */
export interface Place {
  readonly name: string
  readonly bytes: Uint8Array | string
}

/** A secret in the forms in which somebody might write it down. */
export function formsOf(secret: Uint8Array | string): Buffer[] {
  const bytes = Buffer.from(secret)
  return [
    bytes,
    ...(['base64url', 'base64', 'hex'] as const).map((form) =>
      Buffer.from(bytes.toString(form).replace(/=+$/, '')),
    ),
    // As a buffer is printed, and as it is written to JSON.
    Buffer.from(bytes.toString('hex').replace(/../g, '$& ').trim()),
    Buffer.from([...bytes].join(',')),
    Buffer.from(encodeURIComponent(bytes.toString('latin1'))),
  ]
}

/** The places that have one of the forms in them. */
export function placesWith(forms: readonly Buffer[], places: readonly Place[]): string[] {
  const has = ({ bytes }: Place) => forms.some((form) => Buffer.from(bytes).includes(form))
  return places.filter(has).map(({ name }) => name)
}

/** Every file below a folder, unpacked. */
export function filesIn(folder: string): Place[] {
  const files = globSync('**/*', { cwd: folder, withFileTypes: true }).filter((one) => one.isFile())
  return files.map(({ parentPath, name }) => {
    const bytes = readFileSync(join(parentPath, name))
    return { name: relative(folder, join(parentPath, name)), bytes: unpacked(name, bytes) }
  })
}

/** A file of a crawl that was killed may end anywhere. */
function unpacked(name: string, bytes: Buffer): Buffer {
  if (name.endsWith('.gz')) return gunzipSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH })
  return name.endsWith('.zst') ? zstdDecompressSync(bytes) : bytes
}

/** Every table as text: the database may pack what it stores. */
export async function tablesIn(dir: string): Promise<Place[]> {
  const database = await DuckDBInstance.create(join(dir, 'state.duckdb'), {
    access_mode: 'READ_ONLY',
  })
  const connection = await database.connect()
  const rowsOf = async (sql: string) =>
    (await connection.runAndReadAll(sql)).getRowsJson() as unknown[][]
  const names = await rowsOf(
    `SELECT table_name FROM information_schema.tables WHERE table_type = 'BASE TABLE'`,
  )
  const tables = []
  for (const [name] of names)
    tables.push({ name: String(name), bytes: JSON.stringify(await rowsOf(`FROM "${name}"`)) })
  connection.closeSync()
  database.closeSync()
  return tables
}
