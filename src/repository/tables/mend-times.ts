import type { DuckDBConnection } from '@duckdb/node-api'
import { appendRows } from '../database/append-columns.ts'
import { namedRow, namedRows } from '../database/named-rows.ts'
import { HOST_STATE, HOST_TRUST, type MemoryTable, ROBOTS } from './memory-tables.ts'

/** Clocks of one machine differ by this much from run to run, and nobody is the worse for it. */
const TOLERANCE_SECONDS = 60

/** The fields that are times, of what is remembered as a text. */
const MEMORIES: readonly { readonly table: MemoryTable; readonly times: readonly string[] }[] = [
  { table: HOST_STATE, times: ['readyAt', 'backoffUntil'] },
  { table: ROBOTS, times: ['fetchedAt', 'validUntil', 'textAt', 'failingSince'] },
  { table: HOST_TRUST, times: ['distrustedAt'] },
]

/** How many fetches were moved, and how many rows in all. */
interface Mended {
  readonly fetches: number
  readonly rows: number
}

/**
 * Moves what was noted at a time that has not come yet, as the machine's clock was wrong then, back to now. Pauses
 * keep their length. Else a host could be left alone, and a copy pass for fresh, for years. To be called in a transaction.
 */
export async function mendFutureTimes(connection: DuckDBConnection, now: number): Promise<Mended> {
  const { moved, latest } = await namedRow(
    connection,
    `SELECT count(*) AS moved, coalesce(max(fetched_at), 0) AS latest FROM fetch_log
     WHERE ${later('fetched_at', now)}`,
    { moved: Number, latest: Number },
  )
  // All by as much, so that times between fetches stay as they were.
  if (moved > 0) await moveBack(connection, latest - now, now)
  let rows = 0
  for (const { table, times } of MEMORIES) rows += await mendMemory(connection, table, times, now)
  return { fetches: moved, rows: moved + rows }
}

async function moveBack(connection: DuckDBConnection, by: number, now: number): Promise<void> {
  const move = (table: string, column: string, alsoSet = '') =>
    connection.run(
      `UPDATE ${table} SET ${alsoSet} ${column} = ${column} - ${by} WHERE ${later(column, now)}`,
    )
  // Where no retry is due, its time is 0.
  const retry = `retry_at = CASE WHEN retry_at > 0 THEN retry_at - ${by} ELSE retry_at END,`
  await move('fetch_log', 'fetched_at', retry)
  await move('page', 'fetched_at')
  await move('url', 'first_seen')
  await move('cycle', 'started_at', `ended_at = ended_at - ${by},`)
}

/** The latest row of each key is appended anew; those before it do not count any more. */
async function mendMemory(
  connection: DuckDBConnection,
  table: MemoryTable,
  times: readonly string[],
  now: number,
): Promise<number> {
  const { name, key, text } = table
  const latest = await namedRows(
    connection,
    `SELECT ${key} AS key, saved_at, ${text} AS text FROM ${name}
     WHERE ${later('saved_at', now)} AND ${text} <> ''
       AND rowid IN (SELECT max(rowid) FROM ${name} GROUP BY ${key})`,
    { key: String, saved_at: Number, text: String },
  )
  const mended = latest.map(({ key, saved_at, text }) => {
    const record: Record<string, unknown> = JSON.parse(text)
    for (const time of times) if (typeof record[time] === 'number') record[time] -= saved_at - now
    return { key, savedAt: now, text: JSON.stringify(record) }
  })
  await appendRows(connection, table, mended)
  return mended.length
}

function later(column: string, now: number): string {
  return `${column} > ${now + TOLERANCE_SECONDS}`
}
