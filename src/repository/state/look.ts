import { chmodSync, constants, copyFileSync, existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DuckDBConnection } from '@duckdb/node-api'
import {
  DirectoryInUseError,
  type OpenDatabase,
  openDatabase,
  openDatabaseToRead,
} from '../database/open-database.ts'
import { stampOf } from '../file-stamp.ts'
import { KeptLog } from '../log/kept-log.ts'
import { makeFolder } from '../make-folder.ts'
import { SCHEMA_VERSION } from '../tables/crawl-tables.ts'
import { storedVersion } from '../tables/schema.ts'
import { journalFiles } from './journal.ts'
import { bringUpToDate } from './open-tables.ts'
import { isTakenUp } from './take-up-log.ts'

const TABLES = ['state.duckdb', 'state.duckdb.wal']
/** A crawl that commits or closes may get in the way of a copy, though not for long. */
const TRIES = 100
const RETRY_MS = 100

/** Tables to look at, and the directory they lie in: the crawl's own, or one with a copy. */
interface LookedAt extends OpenDatabase {
  readonly dir: string
}

/**
 * Opens the tables of a directory and writes nothing there. They are read in their place if that tells
 * all; if a crawl holds them, an earlier version wrote them, or there is more to take in, then as a copy
 * in the folder that `makeFolder` makes, where it may be taken in.
 */
export async function openToLook(
  dir: string,
  makeFolder: () => string,
  tellsAll: (connection: DuckDBConnection) => boolean | Promise<boolean>,
): Promise<LookedAt> {
  let folder: string | undefined
  for (let triesLeft = TRIES; ; triesLeft--) {
    const found = await inItsPlace(dir, tellsAll)
    if (found && !(found instanceof DirectoryInUseError)) return found
    folder ??= makeFolder()
    const copy = await openCopy(dir, folder)
    if (!(copy instanceof Error)) return copy
    if (triesLeft <= 1) throw found ?? copy
    await sleep(RETRY_MS)
  }
}

/** Whether somebody is writing the tables of a directory just now. */
export async function isInUse(dir: string): Promise<boolean> {
  try {
    const opened = await openDatabaseToRead(dir)
    opened.close()
    return false
  } catch (error) {
    return error instanceof DirectoryInUseError
  }
}

/** The tables as they lie there; who holds them, if that is why not; or undefined if they do not tell all. */
async function inItsPlace(
  dir: string,
  tellsAll: (connection: DuckDBConnection) => boolean | Promise<boolean>,
): Promise<LookedAt | DirectoryInUseError | undefined> {
  if (!existsSync(join(dir, TABLES[0]))) return undefined // the log has what they had
  let opened: OpenDatabase
  try {
    opened = await openDatabaseToRead(dir)
  } catch (error) {
    if (error instanceof DirectoryInUseError) return error
    throw error
  }
  const { connection, connect, close } = opened
  try {
    const isCurrent =
      (await storedVersion(connection, dir)) === SCHEMA_VERSION &&
      (await isTakenUp(connection, new KeptLog(dir)))
    if (isCurrent && (await tellsAll(connection))) return { dir, connection, connect, close }
    close()
    return undefined
  } catch (error) {
    close()
    throw error
  }
}

/** A copy of tables and journal, brought up to this version; or why it is none, mostly as somebody wrote meanwhile. */
async function openCopy(dir: string, folder: string): Promise<LookedAt | Error> {
  if (!copyTo(dir, folder)) return new Error(`${dir} was written while it was copied`)
  const opened = await openDatabase(folder, dir).catch((error: Error) => error)
  if (opened instanceof Error) return opened
  const { connection, connect } = opened
  const close = () => {
    opened.close()
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    await bringUpToDate(connection, new KeptLog(dir), dir)
    return { dir: folder, connection, connect, close }
  } catch (error) {
    close()
    throw error
  }
}

/** Whether all was copied as it was at one moment. */
function copyTo(dir: string, folder: string): boolean {
  rmSync(folder, { recursive: true, force: true })
  makeFolder(join(folder, 'segments'))
  const tables = TABLES.map((name) => join(dir, name))
  const before = stampOf(...tables)
  try {
    for (const name of TABLES)
      if (existsSync(join(dir, name))) copyFile(join(dir, name), join(folder, name))
    for (const name of journalFiles(dir))
      copyFile(join(dir, 'segments', name), join(folder, 'segments', name))
  } catch (error) {
    // A segment is dropped once its cycle is in the tables.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
  return stampOf(...tables) === before
}

/** Where the file system can, a copy costs nothing until one of the two is written. It is ours to write. */
function copyFile(from: string, to: string): void {
  copyFileSync(from, to, constants.COPYFILE_FICLONE)
  chmodSync(to, 0o600)
}
