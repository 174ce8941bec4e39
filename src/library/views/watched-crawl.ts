import { statSync } from 'node:fs'
import { join } from 'node:path'
import { SettingError } from '#errors/setting-error.ts'
import { LOG_FOLDER } from '#repository/log/kept-log.ts'
import { eventFiles } from '#repository/queries/search-events.ts'
import { type CrawlView, lookAtCrawl } from '../crawl.ts'
import type { CrawlOptions } from '../settings/crawl-options.ts'

/** A crawl as it was at one position of its log, with all that was worked out from it. */
export class Look {
  readonly view: CrawlView
  /** When it was taken; seconds since 1970. */
  readonly at: number
  readonly #known = new Map<string, Promise<unknown>>()
  #uses = 0
  #isOver = false

  constructor(view: CrawlView, at: number) {
    this.view = view
    this.at = at
  }

  /** Works something out once: what is asked again under the same name is not worked out again. */
  once<T>(name: string, work: () => Promise<T>): Promise<T> {
    const made = (this.#known.get(name) as Promise<T> | undefined) ?? work()
    this.#known.delete(name)
    this.#known.set(name, made)
    if (this.#known.size > MOST_KNOWN) this.#known.delete(this.#known.keys().next().value!)
    made.catch(() => this.#known.delete(name))
    return made
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
    if (this.#isOver && this.#uses === 0) await this.view.close()
  }
}

/** What can be seen of a directory: a crawl, nothing yet, or why it cannot be read. */
type Seen =
  | { readonly kind: 'crawl'; readonly look: Look }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'fault'; readonly error: Error }

interface Watching {
  /** Is told when a further look was taken. */
  readonly onNews?: () => void
  /** A further look is taken when so many times as long has passed as this thread worked on the last one. */
  readonly restFactor?: number
}

const REST_FACTOR = 20
/** Whoever told the crawl something sees soon what came of it. */
const HURRY_SECONDS = 120
/** What was asked for longest ago is worked out again. */
const MOST_KNOWN = 500
const LEAST_REST_SECONDS = 1

/**
 * A directory that is looked at for long, whether somebody crawls into it or not. It is read as a copy, so that nobody is
 * kept from writing; a new copy is taken when the log has grown and somebody asks.
 */
export class WatchedCrawl implements AsyncDisposable {
  readonly dir: string
  readonly #options: CrawlOptions
  readonly #onNews: () => void
  readonly #restFactor: number
  #seen: Seen | undefined
  #stamp = ''
  #looking: Promise<void> | undefined
  /** When the last look was begun, and what this thread had worked by then; seconds. */
  #begun = 0
  #workedBefore = 0
  #hurriesUntil = 0

  constructor(
    options: CrawlOptions & { readonly dir: string },
    { onNews = () => {}, restFactor = REST_FACTOR }: Watching = {},
  ) {
    this.dir = options.dir
    this.#options = options
    this.#onNews = onNews
    this.#restFactor = restFactor
  }

  /** What was seen last; only the first look is waited for. */
  async see(): Promise<Seen> {
    this.refresh()
    if (this.#seen === undefined) await this.#looking
    return this.#seen!
  }

  /** Looks again in the background, if there is news and it is time. */
  refresh(): void {
    if (this.#looking || !this.#hasRested()) return
    const stamp = stampOf(this.dir)
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
    const worked = now < this.#hurriesUntil ? 0 : workedSeconds() - this.#workedBefore
    return now >= this.#begun + Math.max(LEAST_REST_SECONDS, this.#restFactor * worked)
  }

  async #look(): Promise<void> {
    const begun = Date.now() / 1000
    this.#begun = begun
    this.#workedBefore = workedSeconds()
    const before = this.#seen
    this.#seen = await seen(this.#options, begun, before)
    if (before?.kind === 'crawl' && before !== this.#seen) await before.look.end()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#looking
    if (this.#seen?.kind === 'crawl') await this.#seen.look.end()
  }
}

/** By this thread. */
function workedSeconds(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1e6
}

async function seen(options: CrawlOptions, at: number, before: Seen | undefined): Promise<Seen> {
  try {
    const view = await lookAtCrawl(options, { withIndex: true, asCopy: true })
    return { kind: 'crawl', look: new Look(view, at) }
  } catch (error) {
    const { remedy } = error instanceof SettingError ? error : {}
    if (remedy?.kind === 'begin a crawl') return { kind: 'nothing' }
    // A directory that is written just now can be read a moment later.
    return before?.kind === 'crawl' ? before : { kind: 'fault', error: error as Error }
  }
}

/** Changes whenever there is more to see. */
function stampOf(dir: string): string {
  const paths = [join(dir, LOG_FOLDER), join(dir, 'state.duckdb')]
  const searches = eventFiles(dir).map(({ path }) => path)
  return [...paths, ...searches]
    .map((path) => statSync(path, { throwIfNoEntry: false }))
    .map((stat) => `${stat?.mtimeMs} ${stat?.size}`)
    .join()
}
