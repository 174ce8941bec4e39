import type { DuckDBConnection } from '@duckdb/node-api'
import { Frontier } from '#frontier/frontier.ts'
import { apply, type EndedCycle } from '#learn/apply.ts'
import type { FetchEntry } from '#learn/entries/fetch-entry.ts'
import { type Knowledge, knowledge } from '#learn/knowledge.ts'
import type { CycleHead, KeptLog, LogHead, QueryRow } from '../log/kept-log.ts'
import { entriesOfCycle } from '../log/stored-entry.ts'
import { appendCycle, appendUrls, type StoredSizes } from './append-cycle.ts'
import { appendRows, type QueryTable, type TableRow } from './append-rows.ts'
import { appendMemory } from './fetcher-memory.ts'
import { loadFrontier } from './load-frontier.ts'
import { logPosition, setLogPosition } from './log-change.ts'
import { readMeta, writeMeta } from './schema.ts'
import { ANYWHERE, storedRules, storedSeeds } from './stored-rules.ts'
import { damagedInBase, readBase } from './table-base.ts'
import { transaction } from './transaction.ts'
import { appendQueryProgress } from './workload-table.ts'

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
  #crawl: { readonly known: Knowledge; stored: StoredSizes } | undefined
  fetches = 0

  constructor(connection: DuckDBConnection) {
    this.#connection = connection
  }

  async take(lines: AsyncGenerator<unknown>): Promise<void> {
    const head = (await lines.next()).value as LogHead
    if (head.kind === 'queries') return this.#takeRows(lines as AsyncGenerator<QueryRow>)
    const items = await Array.fromAsync(lines) // to its end, where it shows whether the entry is whole
    if (head.kind === 'cycle') await this.#takeCycle(head, items as FetchEntry[])
    if (head.kind === 'run') await this.#takeRun(head.at)
    if (head.kind === 'settings')
      for (const [key, value] of Object.entries(head.values))
        await writeMeta(this.#connection, key, value)
  }

  async #takeCycle({ memory, ...entry }: CycleHead, fetches: readonly FetchEntry[]): Promise<void> {
    const { known } = await this.#current()
    let ended: EndedCycle | undefined
    for (const one of entriesOfCycle(entry, fetches)) ended = apply(one, known) ?? ended
    const record = { ...entry, plan: undefined, fetches: [], ...ended }
    await this.#append((stored) => appendCycle(this.#connection, record, known.frontier, stored))
    if (record.progress) await appendQueryProgress(this.#connection, record.cycle, record.progress)
    if (memory) await appendMemory(this.#connection, memory, record.endedAt)
    this.fetches += fetches.length
  }

  async #takeRun(at: number): Promise<void> {
    const { known } = await this.#current()
    apply({ kind: 'run', at, queries: [] }, known)
    await this.#append((stored) => appendUrls(this.#connection, known.frontier, stored))
  }

  async #append(append: (stored: StoredSizes) => Promise<StoredSizes>): Promise<void> {
    this.#crawl!.stored = await append(this.#crawl!.stored)
  }

  /** What the tables know, by the rules that hold by now. */
  async #current(): Promise<{ readonly known: Knowledge; readonly stored: StoredSizes }> {
    this.#crawl ??= await this.#load()
    const settings = await readMeta(this.#connection)
    const scope = storedRules(settings) ?? ANYWHERE
    apply({ kind: 'rules', scope, seeds: storedSeeds(settings) }, this.#crawl.known)
    return this.#crawl
  }

  async #load(): Promise<{ known: Knowledge; stored: StoredSizes }> {
    const frontier = new Frontier()
    const stored = await loadFrontier(this.#connection, frontier)
    return { known: knowledge({ frontier }), stored }
  }

  async #takeRows(rows: AsyncGenerator<QueryRow>): Promise<void> {
    const waiting = new Map<QueryTable, TableRow[]>()
    let count = 0
    const flush = async () => {
      for (const [table, some] of waiting) await appendRows(this.#connection, table, some)
      waiting.clear()
      count = 0
    }
    for await (const [table, ...row] of rows) {
      const some = waiting.get(table as QueryTable)
      if (some) some.push(row as TableRow)
      else waiting.set(table as QueryTable, [row as TableRow])
      if (++count >= ROWS_AT_ONCE) await flush()
    }
    await flush()
  }
}
