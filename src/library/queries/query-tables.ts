import type { DuckDBConnection } from '@duckdb/node-api'
import { SettingError } from '#errors/setting-error.ts'
import type { KeptLog } from '#repository/log/kept-log.ts'
import { holdsCrawl } from '#repository/state/crawl-folder.ts'
import { openToLook } from '#repository/state/look.ts'
import { openTables } from '#repository/state/open-tables.ts'
import { hasNewSearchEvents, takeInOpenSearchEvents } from '#repository/state/search-events.ts'
import { noteTakenIn } from '#repository/state/taken-in.ts'
import type { NoteListener } from '../open/crawl-note.ts'
import { folderToLook } from '../open/folder-until-exit.ts'

type Work<T> = (connection: DuckDBConnection) => Promise<T>

/** Looks at the tables of a directory, with all that its search page has logged; nothing there is written. */
export async function lookAtQueries<T>(dir: string, work: Work<T>): Promise<T> {
  if (!holdsCrawl(dir))
    throw new SettingError(
      'dir',
      `there is nothing in ${dir}: begin a crawl there, import queries, or name another {dir}`,
      { remedy: { kind: 'begin a crawl', dir } },
    )
  const isTakenIn = async (connection: DuckDBConnection) =>
    !(await hasNewSearchEvents(connection, dir))
  const { dir: place, connection, close } = await openToLook(dir, folderToLook, isTakenIn)
  try {
    // Only a copy can be written. What is logged from now on, the next look will see.
    if (place !== dir && !(await isTakenIn(connection)))
      await takeInOpenSearchEvents(connection, dir, Date.now() / 1000)
    return await work(connection)
  } finally {
    close()
  }
}

/**
 * Writes into tables and log of a directory, which is made if need be; if that fails, nothing new is left of it.
 * Damaged lines of the search page's log are noted.
 */
export async function writeQueries<T>(
  dir: string,
  work: (connection: DuckDBConnection, log: KeptLog) => Promise<T>,
  note: NoteListener = () => {},
): Promise<T> {
  const { connection, log, close, discard } = await openTables(dir)
  try {
    const report = await takeInOpenSearchEvents(connection, dir, Date.now() / 1000, log)
    if (report) note({ kind: 'lines skipped', report })
    const done = await work(connection, log)
    await noteTakenIn(connection, dir)
    close()
    return done
  } catch (error) {
    discard()
    throw error
  }
}
