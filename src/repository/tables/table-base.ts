import { closeSync, openSync, readFileSync, readSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import type { DuckDBConnection } from '@duckdb/node-api'
import { namedRows } from '../database/named-rows.ts'
import { sqlText } from '../database/sql-text.ts'
import { transaction } from '../database/transaction.ts'
import { putInPlace, syncToDisk, writeDurably } from '../durable-file.ts'
import { makeFolder } from '../make-folder.ts'
import { SCHEMA_VERSION } from './crawl-tables.ts'
import { migrate } from './schema.ts'

const SUMS = 'sums.json'
const BITE_BYTES = 1 << 20

/** What a base's own table of contents says. */
interface BaseSums {
  readonly schemaVersion: number
  /** By name: CRC-32 of the file. */
  readonly files: Readonly<Record<string, number>>
}

/**
 * Writes all tables as they are into a folder of its own, a compressed Parquet file each: where the log begins
 * that knows nothing of what came before.
 */
export async function writeBase(connection: DuckDBConnection, folder: string): Promise<void> {
  const draft = `${folder}.new`
  rmSync(draft, { recursive: true, force: true })
  makeFolder(draft)
  const files: Record<string, number> = {}
  for (const table of await tableNames(connection)) {
    const name = `${table}.parquet`
    await connection.run(
      `COPY ${table} TO ${sqlText(join(draft, name))} (FORMAT parquet, COMPRESSION zstd)`,
    )
    syncToDisk(join(draft, name))
    files[name] = sumOf(join(draft, name))
  }
  const sums: BaseSums = { schemaVersion: SCHEMA_VERSION, files }
  writeDurably(join(draft, SUMS), Buffer.from(JSON.stringify(sums)))
  putInPlace(draft, folder)
}

/** Fills empty tables from a base; they are as old as it is. */
export async function readBase(
  connection: DuckDBConnection,
  folder: string,
  dir: string,
): Promise<void> {
  const { schemaVersion, files } = sumsOf(folder)
  await migrate(connection, dir, schemaVersion)
  await transaction(connection, async () => {
    await connection.run('DELETE FROM meta') // which the base has too
    for (const name of Object.keys(files)) {
      const table = name.replace('.parquet', '')
      await connection.run(
        `INSERT INTO ${table} BY NAME SELECT * FROM read_parquet(${sqlText(join(folder, name))})`,
      )
    }
  })
}

/** The files of a base that are not as they were written. */
export function damagedInBase(folder: string): string[] {
  let sums: BaseSums
  try {
    sums = sumsOf(folder)
  } catch {
    return [SUMS]
  }
  return Object.entries(sums.files).flatMap(([name, sum]) => {
    try {
      return sumOf(join(folder, name)) === sum ? [] : [name]
    } catch {
      return [name]
    }
  })
}

export async function tableNames(connection: DuckDBConnection): Promise<string[]> {
  const tables = await namedRows(
    connection,
    `SELECT table_name AS name FROM information_schema.tables
     WHERE table_catalog = current_database() AND table_schema = 'main' ORDER BY table_name`,
    { name: String },
  )
  return tables.map(({ name }) => name)
}

function sumsOf(folder: string): BaseSums {
  return JSON.parse(readFileSync(join(folder, SUMS), 'utf8'))
}

function sumOf(path: string): number {
  const file = openSync(path, 'r')
  try {
    const bite = Buffer.allocUnsafe(BITE_BYTES)
    let sum = 0
    for (let length = readSync(file, bite); length > 0; length = readSync(file, bite))
      sum = crc32(bite.subarray(0, length), sum)
    return sum
  } finally {
    closeSync(file)
  }
}
