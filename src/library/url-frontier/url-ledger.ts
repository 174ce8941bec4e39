import { LedgerFile, type LinePlace } from './ledger-file.ts'

/** Whatever a client keeps with a URL. */
export type Metadata = Readonly<Record<string, readonly string[]>>

/** A URL as clients told of it. Times are seconds since 1970. */
interface LedgerUrl {
  readonly key: string
  readonly created: number
  /** It may be fetched from then on; 0 if never again. */
  readonly due: number
  /** A client dated it, and did not just find it. */
  readonly isDated: boolean
  /** Somebody has it until then. */
  readonly heldUntil: number
  /** Where what is kept with it lies. */
  readonly place: LinePlace
}

/** What is known of a queue. */
interface QueueFacts {
  readonly urls: Set<string>
  completed: number
}

/** What clients asked of a queue. */
interface QueueRules {
  /** Seconds from one retrieval to the next. */
  readonly delay?: number
  readonly blockedUntil?: number
  /** Nothing more goes out once so many are completed; 0 for no limit. */
  readonly limit?: number
  /** Its URLs were deleted: only those that are told of again go out. */
  readonly isDropped?: boolean
}

/** A line of its file. */
type Line =
  | UrlLine
  | { readonly held: readonly string[]; readonly until: number; readonly at: number }
  | { readonly settled: string; readonly at: number }
  | { readonly dropped: readonly string[] }
  | { readonly queue: string; readonly rules: QueueRules }
  | { readonly seed: string }

interface UrlLine {
  readonly url: string
  readonly key: string
  readonly meta?: Metadata
  readonly created: number
  readonly due: number
  readonly dated?: true
}

/** Fewer lines that say nothing any more are left alone. */
const LEAST_WASTE = 10_000

/**
 * What clients of one crawl told of URLs: their queues, dates and metadata, who has which, and what was asked of queues. All
 * of it is in a file at once, so it outlives the process.
 */
export class UrlLedger {
  readonly #urls = new Map<string, LedgerUrl>()
  readonly #queues = new Map<string, QueueFacts>()
  readonly #rules = new Map<string, QueueRules>()
  /** By queue: when it was last retrieved from, or reported to. */
  readonly #touched = new Map<string, number>()
  readonly #held = new Set<string>()
  readonly #dropped = new Set<string>()
  readonly #file: LedgerFile
  #lines = 0
  #seed: string | undefined

  constructor(path: string) {
    this.#file = LedgerFile.open(path, (line, place) => this.#take(line as Line, place))
    if (this.#lines > 2 * this.#urls.size + LEAST_WASTE) this.#compact()
  }

  /** The URL that its crawl began with. */
  get seed(): string | undefined {
    return this.#seed
  }

  beginWith(seed: string): void {
    if (this.#seed === undefined) this.#write({ seed })
  }

  get size(): number {
    return this.#urls.size
  }

  of(url: string): LedgerUrl | undefined {
    return this.#urls.get(url)
  }

  /** What is kept with a URL. */
  metadataOf(url: string): Metadata {
    const place = this.#urls.get(url)?.place
    return place ? ((this.#file.read(place) as { meta?: Metadata }).meta ?? {}) : {}
  }

  /** Notes a URL; `due` as in `LedgerUrl`. What was known of it is replaced, but for its creation. */
  put(url: string, { key, meta, due, at, isDated }: Put): void {
    const created = this.#urls.get(url)?.created ?? Math.floor(at)
    const kept = Object.keys(meta).length > 0 && { meta }
    this.#write({ url, key, ...kept, created, due, ...(isDated && { dated: true }) })
  }

  /** Somebody has these until then. */
  hold(urls: readonly string[], until: number, at: number): void {
    if (urls.length > 0) this.#write({ held: urls, until, at })
  }

  /** Nobody has it any more. */
  settle(url: string, at: number): void {
    if (this.#held.has(url)) this.#write({ settled: url, at })
  }

  /** Lets go of URLs; gives how many it had. */
  drop(urls: readonly string[]): number {
    const known = urls.filter((url) => this.#urls.has(url))
    if (known.length > 0) this.#write({ dropped: known })
    return known.length
  }

  /** Whether a client deleted a URL that is not in the ledger, or its queue. */
  isDropped(url: string, queue: string): boolean {
    return this.#dropped.has(url) || this.#rules.get(queue)?.isDropped === true
  }

  /** What was asked of a queue; of all others by ''. */
  rulesOf(queue: string): QueueRules {
    return { ...this.#rules.get(''), ...this.#rules.get(queue) }
  }

  setRules(queue: string, rules: QueueRules): void {
    this.#write({ queue, rules: { ...this.#rules.get(queue), ...rules } })
  }

  queuesWithRules(): Iterable<string> {
    return this.#rules.keys()
  }

  /** Queues and their URLs, in the order in which they were first heard of. */
  queues(): ReadonlyMap<
    string,
    { readonly urls: ReadonlySet<string>; readonly completed: number }
  > {
    return this.#queues
  }

  /** When each queue was last retrieved from, or reported to. */
  touched(): ReadonlyMap<string, number> {
    return this.#touched
  }

  urls(): Iterable<readonly [url: string, known: LedgerUrl]> {
    return this.#urls
  }

  /** Those that somebody has. */
  held(): ReadonlySet<string> {
    return this.#held
  }

  close(): void {
    this.#file.close()
  }

  remove(): void {
    this.#file.remove()
  }

  #write(line: Line): void {
    this.#take(line, this.#file.append(line))
  }

  #take(line: Line, place: LinePlace): void {
    this.#lines++
    if ('url' in line) this.#takeUrl(line, place)
    else if ('held' in line) {
      for (const url of line.held) this.#hold(url, line.until, line.at)
    } else if ('settled' in line) this.#hold(line.settled, 0, line.at)
    else if ('dropped' in line) for (const url of line.dropped) this.#forget(url)
    else if ('seed' in line) this.#seed = line.seed
    else this.#rules.set(line.queue, line.rules)
  }

  #takeUrl({ url, key, created, due, dated }: UrlLine, place: LinePlace): void {
    const before = this.#urls.get(url)
    this.#dropped.delete(url)
    if (before) this.#uncount(url, before)
    const { heldUntil = 0 } = before ?? {}
    this.#urls.set(url, { key, created, due, isDated: dated === true, heldUntil, place })
    const queue = this.#queues.get(key) ?? { urls: new Set(), completed: 0 }
    this.#queues.set(key, queue)
    queue.urls.add(url)
    if (due === 0) queue.completed++
  }

  #hold(url: string, heldUntil: number, at: number): void {
    const known = this.#urls.get(url)
    if (!known) return
    this.#urls.set(url, { ...known, heldUntil })
    if (heldUntil > 0) this.#held.add(url)
    else this.#held.delete(url)
    this.#touched.set(known.key, at)
  }

  #forget(url: string): void {
    const known = this.#urls.get(url)
    this.#dropped.add(url)
    if (!known) return
    this.#uncount(url, known)
    this.#urls.delete(url)
    this.#held.delete(url)
  }

  #uncount(url: string, { key, due }: LedgerUrl): void {
    const queue = this.#queues.get(key)
    if (!queue) return
    queue.urls.delete(url)
    if (due === 0) queue.completed--
    if (queue.urls.size === 0) this.#queues.delete(key)
  }

  #compact(): void {
    this.#lines = 0
    this.#file.rewrite(this.#current(), (line, place) => {
      this.#lines++
      const { url } = line as { url?: string }
      const known = url === undefined ? undefined : this.#urls.get(url)
      if (url !== undefined && known) this.#urls.set(url, { ...known, place })
    })
  }

  *#current(): Generator<Line> {
    for (const [url, { key, created, due, isDated }] of this.#urls) {
      const meta = this.metadataOf(url)
      yield { url, key, meta, created, due, ...(isDated && { dated: true }) }
    }
    for (const url of this.#held) {
      const { key, heldUntil } = this.#urls.get(url)!
      yield { held: [url], until: heldUntil, at: this.#touched.get(key) ?? 0 }
    }
    if (this.#seed !== undefined) yield { seed: this.#seed }
    for (const [queue, rules] of this.#rules) yield { queue, rules }
    if (this.#dropped.size > 0) yield { dropped: [...this.#dropped] }
  }
}

/** What a client says of a URL. */
interface Put {
  readonly key: string
  readonly meta: Metadata
  readonly due: number
  readonly at: number
  readonly isDated?: boolean
}
