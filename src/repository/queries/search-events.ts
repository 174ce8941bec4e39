import { accessSync, constants, existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import { eventFilesIn } from '#workload/formats/event-files.ts'
import { SEARCH_EVENT_FOLDER } from '#workload/formats/ubi.ts'
import type { KeptLog } from '../log/kept-log.ts'
import { type ImportReport, importParts, type LogPart } from './import-queries.ts'
import { searchEventReader } from './search-event-lines.ts'
import { takenSearchEvents } from './taken-in.ts'

export const DEFAULT_HALF_LIFE_SECONDS = 90 * 86_400

/**
 * Where the logs of the search page lie in a crawl directory: a file a day (`workload/formats/ubi.ts`). The page
 * writes there also while a crawl holds the tables; they take it in when the next command opens them.
 */
function searchEventFolder(dir: string): string {
  return join(dir, SEARCH_EVENT_FOLDER)
}

/** Brings the logs of the search page into open tables, a copy without its log perhaps; undefined if there was nothing new. */
export async function takeInOpenSearchEvents(
  connection: DuckDBConnection,
  dir: string,
  now: number,
  log?: KeptLog,
): Promise<ImportReport | undefined> {
  const parts = await newParts(connection, dir)
  if (parts.length === 0) return undefined
  const options = {
    format: 'ubi',
    reader: searchEventReader,
    param: '',
    minClients: 1,
    halfLifeSeconds: DEFAULT_HALF_LIFE_SECONDS,
    now,
  }
  return importParts(connection, parts, options, log)
}

/**
 * Whether the search page has logged something that the tables do not know yet, and that we may read: its
 * log is for its owner alone, and who may only look at the tables sees what was taken in.
 */
export async function hasNewSearchEvents(
  connection: DuckDBConnection,
  dir: string,
): Promise<boolean> {
  if (!isReadable(searchEventFolder(dir))) return false
  const parts = await newParts(connection, dir)
  return parts.length > 0 && parts.every(({ path }) => isReadable(path))
}

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK)
    return true
  } catch {
    return false
  }
}

/** What has been written since it was last taken in; the server may be writing the last line just now. */
async function newParts(connection: DuckDBConnection, dir: string): Promise<LogPart[]> {
  const taken = await takenSearchEvents(connection)
  return eventFiles(dir).flatMap(({ file, path }) => {
    const { bytes: from, lines: linesBefore } = taken.get(file) ?? { bytes: 0, lines: 0 }
    // The search page may just have dropped it.
    if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) <= from) return []
    return [{ path, file, lines: { from, linesBefore, wholeLinesOnly: true } }]
  })
}

/** The logs in a directory; `file` is what the tables call them. */
export function eventFiles(dir: string): { readonly file: string; readonly path: string }[] {
  const folder = searchEventFolder(dir)
  if (!existsSync(folder)) return []
  return eventFilesIn(readdirSync(folder)).map(({ name }) => ({
    file: `queries/${name}`,
    path: join(folder, name),
  }))
}
