import { existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { openDatabase } from '../database/open-database.ts'
import { putInPlace } from '../durable-file.ts'
import { KeptLog } from '../log/kept-log.ts'
import { makeFolder } from '../make-folder.ts'
import { bringUpToDate } from './open-tables.ts'
import type { TakenUp } from './take-up-log.ts'

const TABLES = 'state.duckdb'
/** Where damaged tables are kept until somebody deletes them. */
const DAMAGED_TABLES = `${TABLES}.damaged`

/**
 * Makes a directory's tables anew from its log, beside those that are there; then they take their place. Nobody
 * else may have the directory open.
 */
export async function rebuildTables(dir: string): Promise<TakenUp> {
  const folder = join(dir, 'rebuilt')
  rmSync(folder, { recursive: true, force: true })
  makeFolder(folder)
  const takenUp = await makeTables(folder, dir)
  for (const [name, damaged] of [
    [`${TABLES}.wal`, `${DAMAGED_TABLES}.wal`],
    [TABLES, DAMAGED_TABLES],
  ])
    if (existsSync(join(dir, name))) renameSync(join(dir, name), join(dir, damaged))
  putInPlace(join(folder, TABLES), join(dir, TABLES))
  rmSync(folder, { recursive: true })
  return takenUp
}

async function makeTables(folder: string, dir: string): Promise<TakenUp> {
  const { connection, close } = await openDatabase(folder)
  try {
    const takenUp = await bringUpToDate(connection, new KeptLog(dir), dir)
    await connection.run('CHECKPOINT')
    return takenUp
  } finally {
    close()
  }
}
