import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import { SEARCH_EVENT_FOLDER } from '#workload/formats/ubi.ts'
import { namedRows } from '../database/named-rows.ts'
import { writeAtOnce } from '../durable-file.ts'

const FILE = 'taken-in.json'

/** By the names of the search page's logs: how many bytes of each the tables hold. */
type TakenIn = ReadonlyMap<string, number>

/** How much of each log the tables hold, by its path in the directory. */
export async function takenSearchEvents(
  connection: DuckDBConnection,
): Promise<Map<string, { bytes: number; lines: number }>> {
  const logs = await namedRows(
    connection,
    `SELECT file, max(bytes) AS bytes, sum(lines) AS lines FROM query_import
     WHERE file LIKE '${SEARCH_EVENT_FOLDER}/%' GROUP BY file`,
    { file: String, bytes: Number, lines: Number },
  )
  return new Map(logs.map(({ file, ...taken }) => [file, taken]))
}

/**
 * Leaves word for the search page of what the tables hold, as it may have to drop old logs, and the tables are
 * locked while a crawl runs. Only for tables that stay: not for a copy of them.
 */
export async function noteTakenIn(connection: DuckDBConnection, dir: string): Promise<void> {
  const taken = await takenSearchEvents(connection)
  if (taken.size === 0) return
  const bytes = [...taken].map(([file, { bytes }]) => [basename(file), bytes])
  const path = join(dir, SEARCH_EVENT_FOLDER, FILE)
  try {
    writeAtOnce(path, `${JSON.stringify(Object.fromEntries(bytes))}\n`, 0o600)
  } catch {
    // A courtesy: without it logs are kept for longer.
  }
}

/** The word that was left, as far as it can be read. */
export function readTakenIn(folder: string): TakenIn {
  try {
    const entries = Object.entries(JSON.parse(readFileSync(join(folder, FILE), 'utf8')))
    return new Map(entries.filter((entry): entry is [string, number] => Number(entry[1]) > 0))
  } catch {
    return new Map()
  }
}
