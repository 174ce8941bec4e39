import { accessSync, constants, existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import { SEARCH_EVENT_FOLDER } from '#workload/ubi.ts'
import { type ImportReport, importParts, type LogPart } from './import-queries.ts'
import { openDatabase } from './open-database.ts'
import { migrate } from './schema.ts'
import { searchEventReader } from './search-event-lines.ts'

export const DEFAULT_HALF_LIFE_SECONDS = 90 * 86_400

/**
 * Where the logs of the search page lie in a crawl directory: a file a day (`workload/ubi.ts`). The page
 * writes there also while a crawl holds the tables; they take it in when the next command opens them.
 */
function searchEventFolder(dir: string): string {
  return join(dir, SEARCH_EVENT_FOLDER)
}

/** Brings the logs of the search page into the tables; nobody else may have them open. */
export async function takeInSearchEvents(
  dir: string,
  now: number,
): Promise<ImportReport | undefined> {
  if (eventFiles(dir).length === 0) return undefined
  const { connection, close } = await openDatabase(dir)
  try {
    await migrate(connection, dir)
    return await takeInOpenSearchEvents(connection, dir, now)
  } finally {
    close()
  }
}

/** The same with tables that are open already; undefined if there was nothing new. */
export async function takeInOpenSearchEvents(
  connection: DuckDBConnection,
  dir: string,
  now: number,
): Promise<ImportReport | undefined> {
  const parts = await newParts(connection, dir)
  if (parts.length === 0) return undefined
  return importParts(connection, parts, {
    format: 'ubi',
    reader: searchEventReader,
    param: '',
    minClients: 1,
    halfLifeSeconds: DEFAULT_HALF_LIFE_SECONDS,
    now,
  })
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
    if (statSync(path).size <= from) return []
    return [{ path, file, lines: { from, linesBefore, wholeLinesOnly: true } }]
  })
}

/** How much of each log the tables have, by its name there. */
export async function takenSearchEvents(
  connection: DuckDBConnection,
): Promise<Map<string, { bytes: number; lines: number }>> {
  const rows = await connection.runAndReadAll(
    "SELECT file, max(bytes)::DOUBLE, sum(lines)::DOUBLE FROM query_import WHERE file LIKE 'queries/%' GROUP BY file",
  )
  return new Map(
    rows
      .getRows()
      .map(([file, bytes, lines]) => [
        String(file),
        { bytes: Number(bytes), lines: Number(lines) },
      ]),
  )
}

/** The logs in a directory; `file` is what the tables call them. */
export function eventFiles(dir: string): { readonly file: string; readonly path: string }[] {
  const folder = searchEventFolder(dir)
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((name) => /^events-\d{4}-\d\d-\d\d\.jsonl$/.test(name))
    .sort()
    .map((name) => ({ file: `queries/${name}`, path: join(folder, name) }))
}
