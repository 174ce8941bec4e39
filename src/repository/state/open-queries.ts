import type { DuckDBConnection } from '@duckdb/node-api'
import type { KeptLog } from '../log/kept-log.ts'
import { exportUbi } from '../queries/export-ubi.ts'
import { type ImportOptions, type ImportReport, importQueries } from '../queries/import-queries.ts'
import { loadQueryProgress, loadWorkload } from '../queries/load-workload.ts'
import { eventFiles, hasNewSearchEvents, takeInOpenSearchEvents } from '../queries/search-events.ts'
import { noteTakenIn } from '../queries/taken-in.ts'
import { openToLook } from './look.ts'
import { openTables } from './open-tables.ts'

/** What a directory knows of searchers, and what its crawl did for them. */
export type QueryStore = ReturnType<typeof queryStore>

/** Without its log where nothing that is written stays. */
function queryStore(connection: DuckDBConnection, log?: KeptLog) {
  return {
    /** What searchers want, weighted by age; synthetic queries if no log was imported. */
    workload: (now: number) => loadWorkload(connection, now),
    /** What the last cycles did for the queries. */
    progress: () => loadQueryProgress(connection),
    /** Everything that was asked and clicked as UBI records, queries first. */
    export: () => exportUbi(connection),
    /** Imports the files of one query log, all or nothing. */
    import: (paths: readonly string[], options: ImportOptions) =>
      importQueries(connection, paths, options, log),
  }
}

/**
 * Looks at the queries of a directory, with all that its search page has logged; nothing there is written. What must
 * be taken in first is taken into a copy, in the folder that `makeFolder` makes.
 */
export async function lookAtQueries<T>(
  dir: string,
  now: number,
  makeFolder: () => string,
  work: (queries: QueryStore) => Promise<T>,
): Promise<T> {
  const isTakenIn = async (connection: DuckDBConnection) =>
    !(await hasNewSearchEvents(connection, dir))
  const { dir: place, connection, close } = await openToLook(dir, makeFolder, isTakenIn)
  try {
    // Only a copy can be written. What is logged from now on, the next look will see.
    if (place !== dir && !(await isTakenIn(connection)))
      await takeInOpenSearchEvents(connection, dir, now)
    return await work(queryStore(connection))
  } finally {
    close()
  }
}

/**
 * Writes queries into a directory, which is made if need be; if that fails, nothing new is left of it. What its
 * search page has logged is taken in first: `onSearchEvents` gets the report of that.
 */
export async function writeQueries<T>(
  dir: string,
  now: number,
  work: (queries: QueryStore) => Promise<T>,
  onSearchEvents: (report: ImportReport) => void = () => {},
): Promise<T> {
  const { connection, log, close, discard } = await openTables(dir)
  try {
    const report = await takeInOpenSearchEvents(connection, dir, now, log)
    if (report) onSearchEvents(report)
    const done = await work(queryStore(connection, log))
    await noteTakenIn(connection, dir)
    close()
    return done
  } catch (error) {
    discard()
    throw error
  }
}

/** Brings the logs of the search page into the tables; nobody else may have them open. */
export async function takeInSearchEvents(
  dir: string,
  now: number,
): Promise<ImportReport | undefined> {
  if (eventFiles(dir).length === 0) return undefined
  const { connection, log, close } = await openTables(dir)
  try {
    const report = await takeInOpenSearchEvents(connection, dir, now, log)
    await noteTakenIn(connection, dir)
    return report
  } finally {
    close()
  }
}
