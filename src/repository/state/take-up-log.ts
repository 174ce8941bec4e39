import type { DuckDBConnection } from '@duckdb/node-api'
import { type CycleEntry, type FetchEntry, relearnCycle } from '#crawl/cycle-entry.ts'
import { Frontier } from '#frontier/frontier.ts'
import { transaction } from '../database/transaction.ts'
import type { KeptLog, LogHead, MemoryRows, QueryRow } from '../log/kept-log.ts'
import { storedScope, storedSeeds } from '../log/stored-rules.ts'
import { appendQueryProgress } from '../queries/query-progress.ts'
import { logPosition, setLogPosition } from '../tables/log-change.ts'
import { appendLogged } from '../tables/logged-rows.ts'
import { readMeta, writeMeta } from '../tables/schema.ts'
import { damagedInBase, readBase } from '../tables/table-base.ts'
import { appendCycle, type StoredSizes } from './append-cycle.ts'
import { appendMemory } from './fetcher-memory.ts'
import { loadFrontier } from './load-frontier.ts'

const ROWS_AT_ONCE = 20_000

/** What was taken up. */
export interface TakenUp {
  readonly entries: number
  readonly fetches: number
}

/** Fills empty tables from the base of the log, if it has one. */
export async function takeUpBase(
  connection: DuckDBConnection,
  log: KeptLog,
  dir: string,
): Promise<void> {
  const { base } = log.numbers()
  if (base === undefined) return
  const folder = log.basePath(base)
  const [damaged] = damagedInBase(folder)
  if (damaged) throw log.damaged(`${folder}/${damaged}`, 'its checksum does not match')
  await readBase(connection, folder, dir)
}

/** Whether the tables have all that the log has. */
export async function isTakenUp(connection: DuckDBConnection, log: KeptLog): Promise<boolean> {
  return log.last() <= ((await logPosition(connection)) ?? 0)
}

/**
 * Brings the tables to where the log is: its entries that they lack are learnt as they were learnt first,
 * through the last one or through `until`.
 */
export async function takeUpLog(
  connection: DuckDBConnection,
  log: KeptLog,
  until = log.last(),
): Promise<TakenUp> {
  const position = (await logPosition(connection)) ?? 0
  const tables = new TablesOfLog(connection)
  for (let number = position + 1; number <= until; number++) {
    await transaction(connection, async () => {
      await tables.take(log.read(number))
      await setLogPosition(connection, number)
    })
  }
  return { entries: Math.max(0, until - position), fetches: tables.fetches }
}

/** Tables that follow the log. What they know is read into memory once, when a cycle comes. */
class TablesOfLog {
  readonly #connection: DuckDBConnection
  #crawl: { frontier: Frontier; stored: StoredSizes } | undefined
  fetches = 0

  constructor(connection: DuckDBConnection) {
    this.#connection = connection
  }

  async take(lines: AsyncGenerator<unknown>): Promise<void> {
    const head = (await lines.next()).value as LogHead
    if (head.kind === 'cycle') {
      const fetches = (await Array.fromAsync(lines)) as FetchEntry[]
      const { kind: _, memory, ...entry } = head
      return this.#takeCycle(entry, fetches, memory)
    }
    if (head.kind === 'queries') return this.#takeRows(lines as AsyncGenerator<QueryRow>)
    await Array.fromAsync(lines) // to its end, where it shows whether the entry is whole
    for (const [key, value] of Object.entries(head.values))
      await writeMeta(this.#connection, key, value)
  }

  async #takeCycle(
    entry: CycleEntry,
    fetches: readonly FetchEntry[],
    memory: MemoryRows | undefined,
  ): Promise<void> {
    this.#crawl ??= await this.#load()
    const { frontier, stored } = this.#crawl
    const settings = await readMeta(this.#connection)
    const rules = { scope: storedScope(settings), allSeeds: storedSeeds(settings) }
    const record = relearnCycle(entry, fetches, frontier, rules)
    this.#crawl.stored = await appendCycle(this.#connection, record, frontier, stored)
    if (record.progress) await appendQueryProgress(this.#connection, record.cycle, record.progress)
    if (memory) await appendMemory(this.#connection, memory, record.endedAt)
    this.fetches += fetches.length
  }

  async #load(): Promise<{ frontier: Frontier; stored: StoredSizes }> {
    const frontier = new Frontier()
    const stored = await loadFrontier(this.#connection, frontier)
    return { frontier, stored }
  }

  async #takeRows(rows: AsyncGenerator<QueryRow>): Promise<void> {
    const waiting = new Map<string, unknown[][]>()
    let count = 0
    const flush = async () => {
      for (const [table, some] of waiting) await appendLogged(this.#connection, table, some)
      waiting.clear()
      count = 0
    }
    for await (const [table, ...row] of rows) {
      const some = waiting.get(table)
      if (some) some.push(row)
      else waiting.set(table, [row])
      if (++count >= ROWS_AT_ONCE) await flush()
    }
    await flush()
  }
}
