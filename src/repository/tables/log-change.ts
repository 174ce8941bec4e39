import type { DuckDBConnection } from '@duckdb/node-api'
import type { KeptLog, LogHead } from '../log/kept-log.ts'
import { readMeta, writeMeta } from './schema.ts'

/** The number of the latest entry of the log that the tables have. */
const POSITION = 'log_position'

/** How much of the log the tables have; undefined if they know of none. */
export async function logPosition(connection: DuckDBConnection): Promise<number | undefined> {
  const text = (await readMeta(connection)).get(POSITION)
  return text === undefined ? undefined : Number(text)
}

export async function setLogPosition(connection: DuckDBConnection, number: number): Promise<void> {
  await writeMeta(connection, POSITION, String(number))
}

/**
 * Puts a change of the tables into the log, as the last step of its transaction. Should the commit be missed,
 * the tables lack an entry and take it up when they are next opened.
 */
export async function logChange(
  connection: DuckDBConnection,
  log: KeptLog,
  head: LogHead,
  items?: Iterable<unknown> | AsyncIterable<unknown>,
): Promise<void> {
  const number = ((await logPosition(connection)) ?? 0) + 1
  await log.write(number, head, items)
  await setLogPosition(connection, number)
}
