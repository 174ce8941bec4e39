import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { SettingError } from '#errors/setting-error.ts'
import { Frontier } from '#frontier/frontier.ts'
import type { Told } from '#frontier/told.ts'
import { apply, type EndedCycle } from '#learn/apply.ts'
import type { Entry } from '#learn/entries/entry.ts'
import { type Knowledge, knowledge } from '#learn/knowledge.ts'
import { transaction } from '../database/transaction.ts'
import { type CycleHead, KeptLog, type LogHead, type QueryRow } from '../log/kept-log.ts'
import { entriesOf, type LeftOut } from '../log/stored-entry.ts'
import { loadQueries } from '../queries/load-workload.ts'
import { logPosition, setLogPosition } from '../tables/log-change.ts'
import { appendLogged } from '../tables/logged-rows.ts'
import { mendFutureTimes } from '../tables/mend-times.ts'
import { migrate, readMeta, writeMetas } from '../tables/schema.ts'
import { damagedInBase, readBase } from '../tables/table-base.ts'
import { PageTexts } from '../text-index/page-texts.ts'
import { appendCycle, appendTold, appendUrls, type StoredSizes } from './append-cycle.ts'
import { loadFrontier } from './load-frontier.ts'

const ROWS_AT_ONCE = 20_000
const NOTHING_STORED: StoredSizes = { urls: 0, hosts: 0, anchors: 0, fetches: 0 }

/** A change that teaches something. */
type LearntHead = Exclude<LogHead, { readonly kind: 'queries' | 'settings' | 'clock' }>

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
 * Brings the tables to where the log is: its entries that they lack are learnt as they were learnt first.
 */
export async function takeUpLog(connection: DuckDBConnection, log: KeptLog): Promise<TakenUp> {
  const position = (await logPosition(connection)) ?? 0
  const tables = new TablesOfLog(connection)
  const last = log.last()
  for (let number = position + 1; number <= last; number++) {
    await transaction(connection, async () => {
      await tables.take(log.read(number))
      await setLogPosition(connection, number)
    })
  }
  return { entries: Math.max(0, last - position), fetches: tables.fetches }
}

/** What follows the log beside the tables. */
interface Following {
  /** What is known by now; read from the tables when the first cycle comes, if left out. */
  readonly known?: Knowledge
  readonly textOf?: LeftOut['textOf']
  /** Is told of every entry before it is applied. */
  readonly before?: (entry: Entry) => Promise<void>
}

/** Tables that follow the log, change by change. */
export class TablesOfLog {
  readonly #connection: DuckDBConnection
  readonly #following: Following
  #crawl: { readonly known: Knowledge; stored: StoredSizes } | undefined
  fetches = 0

  constructor(connection: DuckDBConnection, following: Following = {}) {
    this.#connection = connection
    this.#following = following
    const { known } = following
    if (known) this.#crawl = { known, stored: NOTHING_STORED }
  }

  async take(lines: AsyncGenerator<unknown>): Promise<void> {
    const head = (await lines.next()).value as LogHead
    if (head.kind === 'queries') return takeQueryRows(this.#connection, lines)
    const items = await Array.fromAsync(lines) // to its end, where it shows whether the entry is whole
    if (head.kind === 'clock') return this.#setBack(head.at)
    if (head.kind !== 'settings') return this.#learn(head, items)
    await writeMetas(this.#connection, head.values)
  }

  /** Times of the past were corrected: what is known by them is read from the tables anew. */
  async #setBack(now: number): Promise<void> {
    if (this.#following.known)
      throw new SettingError(
        'at',
        'the clock was set back since, and times with it: what was planned later cannot be made again',
      )
    await mendFutureTimes(this.#connection, now)
    this.#crawl = undefined
  }

  async #learn(head: LearntHead, items: readonly unknown[]): Promise<void> {
    this.#crawl ??= await this.#load()
    const { known, stored } = this.#crawl
    const { textOf, before } = this.#following
    const queries = async (at: number) => (known.indexer ? loadQueries(this.#connection, at) : [])
    const settings = await readMeta(this.#connection)
    let ended: EndedCycle | undefined
    for await (const entry of entriesOf(head, items, settings, { queries, textOf })) {
      await before?.(entry)
      ended = apply(entry, known) ?? ended
    }
    const append = () =>
      head.kind === 'told'
        ? appendTold(
            this.#connection,
            { ...head, told: items as readonly Told[] },
            known.frontier,
            stored,
          )
        : appendUrls(this.#connection, known.frontier, stored)
    this.#crawl.stored = ended
      ? await this.#appendCycle(head as CycleHead, ended, known, stored)
      : await append()
  }

  async #appendCycle(
    { memory, values, plan: _, ...entry }: CycleHead,
    ended: EndedCycle,
    { frontier }: Knowledge,
    before: StoredSizes,
  ): Promise<StoredSizes> {
    const record = { ...entry, ...ended }
    this.fetches += record.fetches.length
    await writeMetas(this.#connection, values)
    return appendCycle(this.#connection, record, frontier, before, memory)
  }

  async #load(): Promise<{ known: Knowledge; stored: StoredSizes }> {
    const frontier = new Frontier()
    const stored = await loadFrontier(this.#connection, frontier)
    return { known: knowledge({ frontier }), stored }
  }
}

/** Takes up the rows that an import of queries brought. */
async function takeQueryRows(
  connection: DuckDBConnection,
  rows: AsyncGenerator<unknown>,
): Promise<void> {
  const waiting = new Map<string, unknown[][]>()
  let count = 0
  const flush = async () => {
    for (const [table, some] of waiting) await appendLogged(connection, table, some)
    waiting.clear()
    count = 0
  }
  for await (const [table, ...row] of rows as AsyncGenerator<QueryRow>) {
    const some = waiting.get(table)
    if (some) some.push(row)
    else waiting.set(table, [row])
    if (++count >= ROWS_AT_ONCE) await flush()
  }
  await flush()
}

/** The whole log of a directory, entry by entry, with what its entries leave out: words of pages, and queries. */
export async function* readLog(dir: string): AsyncGenerator<Entry> {
  const log = new KeptLog(dir)
  mustBeWhole(log, dir)
  const tables = await DuckDBInstance.create(':memory:', { threads: '1' })
  const connection = await tables.connect()
  const texts = new PageTexts(dir)
  try {
    await migrate(connection, dir)
    const settings = new Map<string, string>()
    const leftOut = {
      queries: (at: number) => loadQueries(connection, at),
      textOf: (url: number, at: number) => texts.textOf(url, at),
    }
    for (const number of log.numbers().entries) {
      const lines = log.read(number)
      const head = (await lines.next()).value as LogHead
      if (head.kind === 'queries') await takeQueryRows(connection, lines)
      else {
        const items = await Array.fromAsync(lines)
        if (head.kind === 'settings')
          for (const [key, value] of Object.entries(head.values)) settings.set(key, value)
        yield* entriesOf(head, items, settings, leftOut)
      }
    }
  } finally {
    texts.close()
    connection.closeSync()
    tables.closeSync()
  }
}

/** A log that begins with tables tells nothing of what came before. */
export function mustBeWhole(log: KeptLog, dir: string): void {
  if (log.numbers().base !== undefined)
    throw new SettingError(
      'dir',
      `the log in ${dir} was begun when the crawl had long begun, so that its past cannot be gone through again`,
    )
}
