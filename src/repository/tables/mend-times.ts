import type { DuckDBConnection } from '@duckdb/node-api'
import { transaction } from '../database/transaction.ts'

/** Clocks of one machine differ by this much from run to run, and nobody is the worse for it. */
const TOLERANCE_SECONDS = 60

/** Tables whose rows are texts, and the fields of these that are times. */
const TEXTS = [
  { table: 'host_state', key: 'host', text: 'state', times: ['readyAt', 'backoffUntil'] },
  {
    table: 'robots',
    key: 'origin',
    text: 'record',
    times: ['fetchedAt', 'validUntil', 'textAt', 'failingSince'],
  },
  { table: 'host_trust', key: 'host', text: 'trust', times: ['distrustedAt'] },
] as const

/**
 * Moves what was noted at a time that has not come yet, as the machine's clock was wrong then, back to now. Pauses
 * keep their length. Else a host could be left alone, and a copy pass for fresh, for years. Gives the fetches moved.
 */
export async function mendFutureTimes(connection: DuckDBConnection, now: number): Promise<number> {
  const found = await connection.runAndReadAll(
    `SELECT count(*), coalesce(max(fetched_at), 0) FROM fetch_log WHERE ${later('fetched_at', now)}`,
  )
  const [moved, latest] = found.getRows()[0].map(Number)
  await transaction(connection, async () => {
    // All by as much, so that times between fetches stay as they were.
    if (moved > 0) await moveBack(connection, latest - now, now)
    for (const texts of TEXTS) await mendTexts(connection, texts, now)
  })
  return moved
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
async function mendTexts(
  connection: DuckDBConnection,
  { table, key, text, times }: (typeof TEXTS)[number],
  now: number,
): Promise<void> {
  const latest = await connection.runAndReadAll(
    `SELECT ${key}, saved_at, ${text} FROM ${table}
     WHERE ${later('saved_at', now)} AND ${text} <> ''
       AND rowid IN (SELECT max(rowid) FROM ${table} GROUP BY ${key})`,
  )
  for (const [name, savedAt, stored] of latest.getRows()) {
    const record: Record<string, unknown> = JSON.parse(String(stored))
    for (const time of times)
      if (typeof record[time] === 'number') record[time] -= Number(savedAt) - now
    await connection.run(`INSERT INTO ${table} VALUES ($name, $now, $text)`, {
      name: String(name),
      now,
      text: JSON.stringify(record),
    })
  }
}

function later(column: string, now: number): string {
  return `${column} > ${now + TOLERANCE_SECONDS}`
}
