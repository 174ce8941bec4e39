import type { DuckDBConnection } from '@duckdb/node-api'
import { countRows } from '../database/named-rows.ts'
import { openDatabase, type WritableDatabase } from '../database/open-database.ts'
import { KeptLog } from '../log/kept-log.ts'
import { CYCLE, FETCH_LOG } from '../tables/fetch-tables.ts'
import { logPosition, setLogPosition } from '../tables/log-change.ts'
import { QUERY_IMPORT } from '../tables/query-tables.ts'
import { migrate, readMeta, storedVersion } from '../tables/schema.ts'
import { writeBase } from '../tables/table-base.ts'
import { type TakenUp, takeUpBase, takeUpLog } from './take-up-log.ts'

/** Tables that can be written, up to date with the log that every change goes into. */
export interface LoggedTables extends WritableDatabase {
  readonly log: KeptLog
  /** What the tables had missed. */
  readonly takenUp: TakenUp
}

/** Opens the tables of a directory, which is made if need be; one process at a time. */
export async function openTables(dir: string): Promise<LoggedTables> {
  const database = await openDatabase(dir)
  try {
    const log = new KeptLog(dir)
    const takenUp = await bringUpToDate(database.connection, log, dir)
    await beginLog(database.connection, log)
    return { ...database, log, takenUp }
  } catch (error) {
    database.discard()
    throw error
  }
}

/** Brings tables to this program's version, and to where the log is. */
export async function bringUpToDate(
  connection: DuckDBConnection,
  log: KeptLog,
  dir: string,
): Promise<TakenUp> {
  if ((await storedVersion(connection, dir)) === 0) await takeUpBase(connection, log, dir)
  await migrate(connection, dir)
  await mustFit(connection, log, dir)
  return takeUpLog(connection, log)
}

/** Tables and log belong together if the log goes at least as far, and begins where the tables are or before. */
async function mustFit(connection: DuckDBConnection, log: KeptLog, dir: string): Promise<void> {
  const position = await logPosition(connection)
  const { base } = log.numbers()
  if ((position ?? 0) > log.last())
    throw log.damaged(log.folder, `it has ${log.last()} entries, and the tables ${position}`)
  const begin = base ?? (position === undefined && !(await isBlank(connection)) ? Infinity : 0)
  if ((position ?? 0) < begin && log.last() > 0)
    throw log.damaged(`${dir}/state.duckdb`, 'it is older than the log beside it')
}

/** Tables of the first edition come without a log: theirs begins with what they are now. */
async function beginLog(connection: DuckDBConnection, log: KeptLog): Promise<void> {
  if ((await logPosition(connection)) !== undefined) return
  const hasBase = log.numbers().base !== undefined // of an opening that was cut off
  // First the base: tables that have a position are taken to be in the log.
  if (!hasBase && !(await isBlank(connection))) await writeBase(connection, log.basePath(0))
  await setLogPosition(connection, 0)
}

/** Whether nothing was ever written but the schema. */
async function isBlank(connection: DuckDBConnection): Promise<boolean> {
  const settings = await readMeta(connection)
  settings.delete('schema_version')
  if (settings.size > 0) return false
  for (const { name } of [FETCH_LOG, QUERY_IMPORT, CYCLE])
    if ((await countRows(connection, name)) > 0) return false
  return true
}
