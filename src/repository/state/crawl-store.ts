import type { DuckDBConnection } from '@duckdb/node-api'
import type {
  CycleRecord,
  FetcherMemory,
  JournalEntry,
  Repository,
  StoredCrawl,
  StoreReader,
} from '#crawl/ports.ts'
import { Frontier } from '#frontier/frontier.ts'
import type { Entry, PlanEntry, ToldEntry } from '#learn/entries/entry.ts'
import type { WarcPlace } from '#learn/entries/fetch-entry.ts'
import type { Exchange, KeptExchanges, RobotsExchange } from '#learn/entries/outcome.ts'
import type { ObservedFetch } from '#learn/histories.ts'
import { Lessons } from '#learn/lessons.ts'
import { releasePages } from '#numeric/own-pages.ts'
import type { StoredQuery } from '#workload/workload.ts'
import { FreedMemory } from '../database/freed-memory.ts'
import { namedRow } from '../database/named-rows.ts'
import { sparingly, type WritableDatabase } from '../database/open-database.ts'
import { transaction } from '../database/transaction.ts'
import { boardLeft, type KeptLog, type LogHead } from '../log/kept-log.ts'
import { cycleEntryOf, storedFetchesOf } from '../log/stored-entry.ts'
import { type ImportOptions, type ImportReport, importQueries } from '../queries/import-queries.ts'
import { loadClickedQueries, synthesised } from '../queries/load-workload.ts'
import { eventFiles, hasNewSearchEvents, takeInOpenSearchEvents } from '../queries/search-events.ts'
import { noteTakenIn } from '../queries/taken-in.ts'
import { type Reports, reportsOf } from '../reports/reports.ts'
import { compactTables } from '../tables/compact-tables.ts'
import { logChange } from '../tables/log-change.ts'
import { mendFutureTimes } from '../tables/mend-times.ts'
import { readMeta, writeMetas } from '../tables/schema.ts'
import type { IndexFiles } from '../text-index/index-files.ts'
import { appendCycle, appendTold, appendUrls, type StoredSizes } from './append-cycle.ts'
import { type FetcherMemorySource, MemoryKeeper, readFetcherMemory } from './fetcher-memory.ts'
import { Journal, journalFiles } from './journal.ts'
import { loadFrontier } from './load-frontier.ts'
import { LongTexts } from './long-texts.ts'
import { openToLook } from './look.ts'
import { type LoggedTables, openTables } from './open-tables.ts'
import { replayFetches } from './replay-fetches.ts'
import { readLog } from './take-up-log.ts'
import type { WarcSink } from './warc-sink.ts'

/** A crawl directory: tables in DuckDB, the log of all that changed them, and the journal of the cycle under way. */
export class CrawlStore implements Repository, StoreReader {
  /** What its tables tell people: named questions, answered with data. */
  readonly reports: Reports
  /** A further connection, which sees what is committed and keeps nobody waiting. */
  readonly connect: WritableDatabase['connect']
  readonly #dir: string
  readonly #connection: DuckDBConnection
  readonly #database: WritableDatabase
  /** Left out where nothing may be written and nothing is to be taken up. */
  readonly #journal: Journal | undefined
  /** Left out where nothing that is written stays. */
  readonly #log: KeptLog | undefined
  readonly #takenUp: number
  #warc: WarcSink | undefined
  #index: IndexFiles | undefined
  #memory: MemoryKeeper | undefined
  readonly #longTexts = new LongTexts()
  readonly #freed: FreedMemory
  readonly #counts: (() => Readonly<Record<string, string>>)[] = []
  #stored: StoredSizes = { urls: 0, hosts: 0, anchors: 0, fetches: 0 }

  private constructor(
    dir: string,
    database: WritableDatabase & Partial<LoggedTables>,
    journal: Journal | undefined,
  ) {
    this.#dir = dir
    this.#connection = database.connection
    this.#freed = new FreedMemory(database.connection)
    this.reports = reportsOf(database.connection)
    this.#database = database
    this.connect = database.connect
    this.#journal = journal
    this.#log = database.log
    this.#takenUp = database.takenUp?.fetches ?? 0
  }

  /** Opens or makes a directory; one process at a time. */
  static async open(dir: string): Promise<CrawlStore> {
    const tables = await openTables(dir)
    try {
      return new CrawlStore(dir, tables, new Journal(dir))
    } catch (error) {
      tables.discard()
      throw error
    }
  }

  /**
   * Opens a directory to look into it, also one that is being crawled or may not be written: nothing in it
   * changes. What must be taken up first is taken up in a copy, in the folder that `makeFolder` makes. Who looks for long
   * looks at a copy in any case, and keeps nobody from writing.
   */
  static async openToLook(
    dir: string,
    makeFolder: () => string,
    { asCopy = false } = {},
  ): Promise<CrawlStore> {
    const isTakenUp = () => !asCopy && journalFiles(dir).length === 0
    const { dir: place, ...database } = await openToLook(dir, makeFolder, isTakenUp)
    if (asCopy && (await hasNewSearchEvents(database.connection, dir)))
      await takeInOpenSearchEvents(database.connection, dir, Date.now() / 1000)
    const journal = place === dir ? undefined : new Journal(place, dir)
    return new CrawlStore(dir, { ...database, discard: database.close }, journal)
  }

  /** Tables of one's own beside a directory, as when its log is gone through again. */
  static over(dir: string, database: WritableDatabase): CrawlStore {
    return new CrawlStore(dir, database, undefined)
  }

  /** What a run whose clock was ahead of `now` noted counts as of now; gives the fetches concerned. */
  async mendFutureTimes(now: number): Promise<number> {
    return transaction(this.#connection, async () => {
      const { fetches, rows } = await mendFutureTimes(this.#connection, now)
      if (rows > 0) await this.#logChange({ kind: 'clock', at: now })
      return fetches
    })
  }

  /** Reads everything back into memory. */
  async load(): Promise<StoredCrawl> {
    const frontier = new Frontier()
    this.#stored = await sparingly(this.#connection, () => loadFrontier(this.#connection, frontier))
    if (this.#log) await compactTables(this.#connection, frontier.links.size)
    const { cycle, spent, bytes } = await namedRow(
      this.#connection,
      `SELECT coalesce((SELECT max(cycle) FROM cycle), 0) AS cycle,
              coalesce((SELECT sum(cost) FROM fetch_log), 0) AS spent,
              coalesce((SELECT sum(bytes) FROM fetch_log), 0) AS bytes`,
      { cycle: Number, spent: Number, bytes: Number },
    )
    this.#journal?.dropThrough(cycle)
    return {
      ...{ frontier, cycle, spent, bytes },
      lessons: await this.#taught(frontier),
      ...(this.#journal?.pending(cycle) ?? { pending: [] }),
      takenUp: this.#takenUp,
    }
  }

  /** Shows every fetch that is committed, in the order of the log. */
  async replay(visit: (fetch: ObservedFetch, cycle: number) => void): Promise<void> {
    await sparingly(this.#connection, () => replayFetches(this.#connection, visit))
  }

  entries(): AsyncIterable<Entry> {
    return readLog(this.#dir)
  }

  /** What the last fetch was worth that the latest plan with a price could afford. */
  async lastPrice(): Promise<number | undefined> {
    return (await this.reports.budget.prices()).at(-1)?.price
  }

  async journal(
    entry: JournalEntry,
    exchange?: Exchange,
    robots: readonly RobotsExchange[] = [],
    kept?: KeptExchanges,
  ): Promise<WarcPlace | undefined> {
    for (const file of robots) this.#warc?.appendRobots(file)
    const warc = exchange ? this.#warc?.append(exchange, entry) : kept && this.#warc?.note(kept)
    this.#written.append({ ...entry, ...(warc && { warc }) })
    for (const { body } of [
      ...(exchange ? [exchange] : []),
      ...robots.map((each) => each.exchange),
    ])
      releasePages(body)
    await this.#freed.giveBackIfGrown()
    return warc
  }

  async commit(record: CycleRecord, frontier: Frontier): Promise<void> {
    // Nothing the tables build on may be lost to a power cut that they survive.
    this.#written.sync()
    this.#warc?.sync()
    // First the index: should a kill come in between, the journal brings the same pages again.
    this.#index?.keep(record.indexed)
    const memory = await this.#memory?.changes(record.endedAt)
    // Index and journal have just let go of much, and rows take new memory now.
    await this.#freed.giveBack()
    await transaction(this.#connection, async () => {
      const stored = this.#stored
      this.#stored = await appendCycle(this.#connection, record, frontier, stored, memory)
      const values =
        this.#counts.length > 0
          ? Object.assign({}, ...this.#counts.map((counts) => counts()))
          : undefined
      await writeMetas(this.#connection, values)
      const entry = {
        ...cycleEntryOf(record),
        ...(memory && { memory }),
        ...(values && { values }),
      }
      await this.#logChange({ kind: 'cycle', ...entry }, storedFetchesOf(record))
    })
    this.#written.dropThrough(record.cycle)
    await this.#longTexts.letGoOf(memory?.robots ?? [], this.#connection)
    await this.#freed.giveBack()
  }

  async beginRun(at: number, frontier: Frontier): Promise<void> {
    await transaction(this.#connection, async () => {
      this.#stored = await appendUrls(this.#connection, frontier, this.#stored)
      await this.#logChange({ kind: 'run', at })
    })
  }

  async keepTold(entry: ToldEntry, frontier: Frontier): Promise<void> {
    await transaction(this.#connection, async () => {
      this.#stored = await appendTold(this.#connection, entry, frontier, this.#stored)
      await this.#logChange({ kind: 'told', at: entry.at }, entry.told)
    })
  }

  async boardLeft(): Promise<readonly number[]> {
    return this.#log ? boardLeft(this.#log) : []
  }

  async beginCycle(plan: PlanEntry): Promise<void> {
    this.#written.begin(plan)
  }

  /**
   * Takes in what the search page has logged since, and a log that has grown; gives what came of that, and all queries,
   * weighed at that time. Undefined if there was nothing new, or nothing that is written stays.
   */
  async takeInSearches(
    at: number,
    now: number,
    grown?: { readonly file: string; readonly how: ImportOptions },
  ): Promise<{ readonly reports: ImportReport[]; readonly queries: StoredQuery[] } | undefined> {
    if (!this.#log) return undefined
    const imported =
      grown && (await importQueries(this.#connection, [grown.file], grown.how, this.#log))
    const noted =
      eventFiles(this.#dir).length > 0
        ? await takeInOpenSearchEvents(this.#connection, this.#dir, now, this.#log)
        : undefined
    if (noted) await noteTakenIn(this.#connection, this.#dir)
    const reports = [imported, noted].filter((report) => report !== undefined)
    if (reports.length === 0) return undefined
    await transaction(this.#connection, () => this.#logChange({ kind: 'searches', at }))
    return { reports, queries: await this.queries(at) }
  }

  async #logChange(head: LogHead, items?: Iterable<unknown>): Promise<void> {
    if (this.#log) await logChange(this.#connection, this.#log, head, items)
  }

  /** The queries people asked and what they clicked, as far as this directory knows. */
  queries(now: number): Promise<StoredQuery[]> {
    return loadClickedQueries(this.#connection, now)
  }

  /** Synthetic queries, from the titles and anchors of what is committed, for a crawl without a log. */
  async madeUpQueries(): Promise<StoredQuery[]> {
    return [...(await synthesised(this.#connection)).queries]
  }

  /** A setting of this directory, such as its scope. */
  async setting(key: string): Promise<string | undefined> {
    return (await this.settings()).get(key)
  }

  settings(): Promise<Map<string, string>> {
    return readMeta(this.#connection)
  }

  async saveSetting(key: string, value: string): Promise<void> {
    await this.saveSettings({ [key]: value })
  }

  /** Saves those that are not as they were. */
  async saveSettings(settings: Readonly<Record<string, string>>): Promise<void> {
    const before = await readMeta(this.#connection)
    const changed = Object.entries(settings).filter(([key, value]) => before.get(key) !== value)
    if (changed.length === 0) return
    await transaction(this.#connection, async () => {
      const values = Object.fromEntries(changed)
      await writeMetas(this.#connection, values)
      await this.#logChange({ kind: 'settings', values })
    })
  }

  /** From now on every commit saves the index, with the words of the pages that came in. */
  keepIndex(files: IndexFiles): void {
    this.#index = files
  }

  /** From now on exchanges are kept. */
  keepExchangesIn(warc: WarcSink): void {
    this.#warc = warc
  }

  /** What the fetcher of an earlier run knew of hosts, their robots.txt and their 304s. */
  async fetcherMemory(): Promise<FetcherMemory> {
    return readFetcherMemory(this.#connection)
  }

  /** From now on each cycle also keeps what the fetcher must not forget. */
  rememberFetcher(source: FetcherMemorySource, before: FetcherMemory, now: number): void {
    this.#memory = new MemoryKeeper(source, before, now)
  }

  /** From now on each cycle also keeps these settings, as they are by then. */
  keepWithCycles(settings: () => Readonly<Record<string, string>>): void {
    this.#counts.push(settings)
  }

  close(): void {
    this.#closeFiles()
    this.#database.close()
  }

  /** Closes it for a crawl that could not begin: where there was none before, nothing is left of it. */
  discard(): void {
    this.#closeFiles()
    this.#database.discard()
  }

  #closeFiles(): void {
    this.#index?.close()
    this.#journal?.close()
  }

  get #written(): Journal {
    if (this.#journal) return this.#journal
    throw new Error('this directory was opened only to look into it')
  }

  /** What the fetches of the tables taught, as a crawl that never stopped would have learnt it. */
  async #taught(frontier: Frontier): Promise<Lessons> {
    const lessons = new Lessons(frontier)
    await this.replay((fetch) => lessons.learn(fetch))
    return lessons
  }
}
