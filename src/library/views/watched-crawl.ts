import { join } from 'node:path'
import { SettingError } from '#errors/setting-error.ts'
import { stampOf } from '#repository/file-stamp.ts'
import { LOG_FOLDER } from '#repository/log/kept-log.ts'
import { eventFiles } from '#repository/queries/search-events.ts'
import { journalFiles } from '#repository/state/journal.ts'
import { runningCrawl } from '../control/progress-file.ts'
import { type CrawlView, lookAtCrawl, lookAtTables } from '../crawl.ts'
import type { CrawlTables } from '../open/open-crawl.ts'
import type { CrawlOptions } from '../settings/crawl-options.ts'
import type { Settings } from '../settings/settings.ts'

/** The tables of a crawl as they were at one position of its log, with all that was worked out from them. */
export class Look {
  readonly tables: CrawlTables
  readonly settings: Settings
  /** When it was taken; seconds since 1970. */
  readonly at: number
  readonly #known = new Map<string, Promise<unknown>>()
  /** Seconds in which something was worked out, on this thread or by the tables' own. */
  #worked = 0
  #working = 0
  #workingSince = 0
  #uses = 0
  #isOver = false

  constructor(tables: CrawlTables, settings: Settings, at: number) {
    this.tables = tables
    this.settings = settings
    this.at = at
  }

  /** Works something out once: what is asked again under the same name is not worked out again. */
  once<T>(name: string, work: () => Promise<T>): Promise<T> {
    const made = (this.#known.get(name) as Promise<T> | undefined) ?? this.#timed(work)
    this.#known.delete(name)
    this.#known.set(name, made)
    if (this.#known.size > MOST_KNOWN) this.#known.delete(this.#known.keys().next().value!)
    made.catch(() => this.#known.delete(name))
    return made
  }

  /** How long it took so far to work out what was asked. */
  get workedSeconds(): number {
    return this.#worked
  }

  async #timed<T>(work: () => Promise<T>): Promise<T> {
    if (this.#working++ === 0) this.#workingSince = performance.now()
    try {
      return await work()
    } finally {
      if (--this.#working === 0) this.#worked += (performance.now() - this.#workingSince) / 1000
    }
  }

  async use<T>(work: (look: Look) => Promise<T>): Promise<T> {
    this.#uses++
    try {
      return await work(this)
    } finally {
      this.#uses--
      await this.#closeIfUnused()
    }
  }

  /** Closes it as soon as nobody uses it any more. */
  async end(): Promise<void> {
    this.#isOver = true
    await this.#closeIfUnused()
  }

  async #closeIfUnused(): Promise<void> {
    if (this.#isOver && this.#uses === 0) await this.close()
  }

  protected async close(): Promise<void> {
    this.tables.store.close()
  }
}

/** A crawl read into memory as well: the whole log was gone through, which takes minutes with millions of URLs. */
export class WholeLook extends Look {
  readonly view: CrawlView

  constructor(view: CrawlView, at: number) {
    super(view.opened, view.settings, at)
    this.view = view
  }

  protected override async close(): Promise<void> {
    await this.view.close()
  }
}

/** What can be seen of a directory: a crawl, nothing yet, or why it cannot be read. */
type Seen<L extends Look> =
  | { readonly kind: 'crawl'; readonly look: L }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'fault'; readonly error: Error }

interface Watching {
  /** Is told when a further look was taken. */
  readonly onNews?: () => void
  /** A further look is taken when so many times as long has passed as the last one took, with all that was worked out from it. */
  readonly restFactor?: number
}

/** Tables and the whole crawl are each looked at: a person who watches takes a fiftieth of a core from a crawl. */
const REST_FACTOR = 100
/** Whoever told the crawl something sees soon what came of it. */
const HURRY_SECONDS = 120
/** What was asked for longest ago is worked out again. */
const MOST_KNOWN = 500
const LEAST_REST_SECONDS = 1

/**
 * A directory that is looked at for long, whether somebody crawls into it or not. It is read as a copy, so that nobody is
 * kept from writing; a new copy is taken when the log has grown and somebody asks.
 */
export class WatchedCrawl<L extends Look> implements AsyncDisposable {
  readonly dir: string
  /** Whether a look goes through the whole log, which may take minutes. */
  readonly readsAll: boolean
  readonly #take: Take<L>
  readonly #onNews: () => void
  readonly #restFactor: number
  #seen: Seen<L> | undefined
  #stamp = ''
  #looking: Promise<void> | undefined
  /** When the last look was begun, and how long it took; seconds. */
  #begun = 0
  #took = 0
  #hurriesUntil = 0

  constructor(
    dir: string,
    take: Take<L>,
    readsAll: boolean,
    { onNews = () => {}, restFactor = REST_FACTOR }: Watching = {},
  ) {
    this.dir = dir
    this.readsAll = readsAll
    this.#take = take
    this.#onNews = onNews
    this.#restFactor = restFactor
  }

  /** What was seen last; only the first look is waited for. */
  async see(): Promise<Seen<L>> {
    this.#lookIfNew()
    if (this.#seen === undefined) await this.#looking
    return this.#seen!
  }

  /** Looks again in the background, if somebody ever looked, there is news and it is time. */
  refresh(): void {
    if (this.#seen !== undefined) this.#lookIfNew()
  }

  #lookIfNew(): void {
    if (this.#looking || !this.#hasRested()) return
    const stamp = stampOfCrawl(this.dir)
    if (this.#seen !== undefined && stamp === this.#stamp) return
    this.#stamp = stamp
    this.#looking = this.#look().finally(() => {
      this.#looking = undefined
      this.#onNews()
    })
  }

  /** For a while it looks again as soon as there is news. */
  hurry(): void {
    this.#hurriesUntil = Date.now() / 1000 + HURRY_SECONDS
  }

  #hasRested(): boolean {
    const now = Date.now() / 1000
    const more = this.#seen?.kind === 'crawl' ? this.#seen.look.workedSeconds : 0
    const worked = now < this.#hurriesUntil ? 0 : this.#took + more
    return now >= this.#begun + Math.max(LEAST_REST_SECONDS, this.#restFactor * worked)
  }

  async #look(): Promise<void> {
    const begun = Date.now() / 1000
    this.#begun = begun
    const before = this.#seen
    this.#seen = await this.#see(begun, before)
    this.#took = Date.now() / 1000 - begun
    if (before?.kind === 'crawl' && before !== this.#seen) await before.look.end()
  }

  async #see(at: number, before: Seen<L> | undefined): Promise<Seen<L>> {
    try {
      return { kind: 'crawl', look: await this.#take(at) }
    } catch (error) {
      const { remedy } = error instanceof SettingError ? error : {}
      if (remedy?.kind === 'begin a crawl') return { kind: 'nothing' }
      // A directory that is written just now can be read a moment later.
      return before?.kind === 'crawl' ? before : { kind: 'fault', error: error as Error }
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#looking
    if (this.#seen?.kind === 'crawl') await this.#seen.look.end()
  }
}

/** Takes a look; a SettingError says why there is none. */
type Take<L extends Look> = (at: number) => Promise<L>
type WatchedOptions = CrawlOptions & { readonly dir: string }

/** Watches a directory with all that a crawl there would know. */
export function watchCrawl(options: WatchedOptions, watching?: Watching): WatchedCrawl<WholeLook> {
  const take = async (at: number) =>
    new WholeLook(await lookAtCrawl(options, { withIndex: true, asCopy: true }), at)
  return new WatchedCrawl(options.dir, take, true, watching)
}

/** Watches what the tables of a directory tell. What a killed run left in its journal is taken up first. */
export function watchTables(options: WatchedOptions, watching?: Watching): WatchedCrawl<Look> {
  const { dir } = options
  const take = async (at: number) => {
    const isLeft = journalFiles(dir).length > 0 && !runningCrawl(dir)
    if (isLeft) return new WholeLook(await lookAtCrawl(options, { asCopy: true }), at)
    const { tables, settings } = await lookAtTables(options)
    return new Look(tables, settings, at)
  }
  return new WatchedCrawl(dir, take, false, watching)
}

/** Changes whenever there is more to see. */
function stampOfCrawl(dir: string): string {
  const searches = eventFiles(dir).map(({ path }) => path)
  return stampOf(join(dir, LOG_FOLDER), join(dir, 'state.duckdb'), ...searches)
}
