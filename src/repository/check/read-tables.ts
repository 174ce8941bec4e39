import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import { DamagedFileError } from '../damage.ts'
import { namedRow } from '../database/named-rows.ts'
import { openDatabaseToRead } from '../database/open-database.ts'
import { logPosition } from '../tables/log-change.ts'
import { storedVersion } from '../tables/schema.ts'
import { tableNames } from '../tables/table-base.ts'

/** Tables as they were read to their end. */
export interface ReadTables {
  /** Entries of the log that they have; undefined for tables of the first edition. */
  readonly position: number | undefined
  readonly fetches: number
  readonly lastCycle: number
}

/** Reads every row of a directory's tables where they lie; gives what is wrong if they cannot be read. */
export async function readWholeTables(dir: string): Promise<ReadTables | { problem: string }> {
  if (!existsSync(join(dir, 'state.duckdb'))) return { problem: 'it is missing' }
  try {
    const { connection, close } = await openDatabaseToRead(dir)
    try {
      if ((await storedVersion(connection, dir)) === 0) return EMPTY
      // A block is compared with its checksum when it is read: all columns are.
      for (const table of await tableNames(connection))
        await connection.run(`SELECT bit_xor(hash(row)) FROM ${table} AS row`)
      return await summaryOf(connection)
    } finally {
      close()
    }
  } catch (error) {
    if (error instanceof DamagedFileError) return { problem: error.problem }
    throw error
  }
}

/** A kill came before anything was written. */
const EMPTY: ReadTables = { position: undefined, fetches: 0, lastCycle: 0 }

async function summaryOf(connection: DuckDBConnection): Promise<ReadTables> {
  const counts = await namedRow(
    connection,
    `SELECT (SELECT count(*) FROM fetch_log) AS "fetches",
            (SELECT coalesce(max(cycle), 0) FROM cycle) AS "lastCycle"`,
    { fetches: Number, lastCycle: Number },
  )
  return { ...counts, position: await logPosition(connection) }
}
