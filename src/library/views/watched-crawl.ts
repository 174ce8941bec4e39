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
  /** How long all of that took. */
  workedSeconds = 0
  readonly #known = new Map<string, Promise<unknown>>()
  #uses = 0
  #isOver = false

  constructor(view: CrawlView, at: number) {
    this.view = view
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

  async #timed<T>(work: () => Promise<T>): Promise<T> {
    const begun = Date.now()
    const made = await work()
    this.workedSeconds += (Date.now() - begun) / 1000
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
  /** A further look is taken when so many times as long has passed as the last one took, and what was worked out from it. */
  readonly restFactor?: number
}

/** So it takes 2 % of a core's time at most. */
const REST_FACTOR = 50
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
  #ended = 0
  #tookSeconds = 0

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

  #hasRested(): boolean {
    const worked = this.#seen?.kind === 'crawl' ? this.#seen.look.workedSeconds : 0
    const rest = Math.max(LEAST_REST_SECONDS, this.#restFactor * (this.#tookSeconds + worked))
    return Date.now() / 1000 >= this.#ended + rest
  }

  async #look(): Promise<void> {
    const begun = Date.now() / 1000
    const before = this.#seen
    this.#seen = await seen(this.#options, begun, before)
    this.#ended = Date.now() / 1000
    this.#tookSeconds = this.#ended - begun
    if (before?.kind === 'crawl' && before !== this.#seen) await before.look.end()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#looking
    if (this.#seen?.kind === 'crawl') await this.#seen.look.end()
  }
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
