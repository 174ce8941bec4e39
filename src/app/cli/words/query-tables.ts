import type { DuckDBConnection } from '@duckdb/node-api'
import { UsageError } from '#errors/usage-error.ts'
import { folderToLook } from '#library/open/folder-until-exit.ts'
import type { KeptLog } from '#repository/log/kept-log.ts'
import { holdsCrawl } from '#repository/state/crawl-folder.ts'
import { openToLook } from '#repository/state/look.ts'
import { openTables } from '#repository/state/open-tables.ts'
import { hasNewSearchEvents, takeInOpenSearchEvents } from '#repository/state/search-events.ts'
import { noteTakenIn } from '#repository/state/taken-in.ts'
import { skippedLines } from './skipped-lines.ts'

/** Said wherever the queries were not asked by anybody. */
export const SYNTHETIC_NOTE =
  'synthetic workload: no query log was imported, so these queries were made from titles and anchors'

type Work<T> = (connection: DuckDBConnection) => Promise<T>

/** Looks at the tables of a directory, with all that its search page has logged; nothing there is written. */
export async function lookAtQueries<T>(dir: string, work: Work<T>): Promise<T> {
  if (!holdsCrawl(dir))
    throw new UsageError(
      `there is nothing in ${dir}: start with forager crawl or forager queries import, or name another --dir`,
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
  note: (line: string) => void = () => {},
): Promise<T> {
  const { connection, log, close, discard } = await openTables(dir)
  try {
    const report = await takeInOpenSearchEvents(connection, dir, Date.now() / 1000, log)
    if (report) for (const line of skippedLines(report)) note(line)
    const done = await work(connection, log)
    await noteTakenIn(connection, dir)
    close()
    return done
  } catch (error) {
    discard()
    throw error
  }
}
