import type { FetcherMemory, RobotsRecord } from '#crawl/ports.ts'
import type { RobotsExchange } from '#learn/entries/outcome.ts'
import { releasePages } from '#numeric/own-pages.ts'
import type { Link } from '#parse/page/page.ts'
import { robotsSitemaps } from '#parse/robots/robots-sitemaps.ts'
import { parseRobots, type Robots, robotsFor, rulesFor } from '#parse/robots/robots-txt.ts'
import { askForRobots, type GetRobots } from '../client/ask-for-robots.ts'
import { packedRecord, robotsRecord, textChars, textInForce } from '../client/robots-record.ts'

/** What holds for an origin. */
export type RobotsState =
  | { readonly kind: 'rules'; readonly robots: Robots; readonly record: RobotsRecord }
  /** Nothing is allowed: the file says so by 401 or 403, or it cannot be had and never could. */
  | { readonly kind: 'no'; readonly record: RobotsRecord }
  /** We do not connect there, so the file is no matter. */
  | { readonly kind: 'forbidden'; readonly reason: string; readonly until: number }

interface RobotsCacheOptions {
  readonly get: GetRobots
  /** The name robots.txt knows us by. */
  readonly agentToken: string
  /** Seconds since 1970; must not run backwards. */
  readonly now: () => number
  /** Takes 401 and 403 for "keep out", as some do; RFC 9309 takes them for "no rules". */
  readonly closedWhenDenied?: boolean
  /** Reports the sitemaps that a file names, or the usual place when it names none. */
  readonly sitemaps?: boolean
  /** From an earlier run. */
  readonly records?: readonly RobotsRecord[]
  /** Writes what went over the wire; without it, that is passed on to whoever asks. */
  readonly keepRobots?: (file: RobotsExchange) => void
}

/** A fault of DNS or configuration may be mended soon. */
const FORBIDDEN_SECONDS = 600
/** Beyond these the records longest untouched are dropped, and asked for again when needed. */
export const MAX_ORIGINS = 100_000
const MAX_CHARS = 96_000_000
/** What is to be kept goes from hand to hand several times before it is on disk. */
const MAX_HANDED_CHARS = 1_000_000
const LARGE_CHARS = 50_000
const LARGE_WEIGHT = 4

/** robots.txt by origin (scheme, host and port), each fetched once while it is valid. */
export class RobotsCache {
  readonly #options: RobotsCacheOptions
  /** In order of loading, oldest first. */
  readonly #states = new Map<string, RobotsState>()
  /** Those of them that are large, in the same order. */
  readonly #large = new Set<string>()
  /** From an earlier run and not needed since: most never are, so they are not parsed. */
  readonly #stored = new Map<string, RobotsRecord>()
  readonly #loading = new Map<string, Promise<RobotsState | undefined>>()
  /** Sitemaps that nobody has been told of. */
  readonly #found = new Map<string, readonly Link[]>()
  /** What went over the wire and is not written, likewise. */
  readonly #exchanges = new Map<string, readonly RobotsExchange[]>()
  /** The sitemaps that a file names, for those who ask again for every entry of a list. */
  readonly #named = new WeakMap<RobotsState, ReadonlySet<string>>()
  /** Files whose rules were passed on. */
  readonly #told = new WeakSet<RobotsState>()
  #chars = 0

  constructor(options: RobotsCacheOptions) {
    this.#options = options
    let chars = 0
    const newestFirst = (options.records ?? []).toSorted((a, b) => b.fetchedAt - a.fetchedAt)
    for (const record of newestFirst.slice(0, MAX_ORIGINS)) {
      chars += weightOf(record)
      if (chars > MAX_CHARS) break
      this.#stored.set(
        record.origin,
        packedRecord(mayBeReachable(record) ? { ...record, validUntil: 0 } : record),
      )
    }
  }

  /** What is known now and still valid. */
  known(origin: string): RobotsState | undefined {
    const state = this.#latest(origin)
    if (!state) return undefined
    const until = state.kind === 'forbidden' ? state.until : state.record.validUntil
    return until > this.#options.now() ? state : undefined
  }

  /** Fetches and remembers an origin's rules; gives nothing when the fetch was called off. */
  async load(origin: string): Promise<RobotsState | undefined> {
    const underWay = this.#loading.get(origin)
    if (underWay) return underWay
    const loading = this.#load(origin)
    this.#loading.set(origin, loading)
    const state = await loading
    this.#loading.delete(origin)
    return state
  }

  /** The sitemaps of an origin, once: whoever asks first is to pass them on. */
  takeFound(origin: string): readonly Link[] | undefined {
    const found = this.#found.get(origin)
    if (found) this.#found.delete(origin)
    return found
  }

  /** The rules of an origin, once for each file: whoever asks first is to pass them on. */
  takeRules(origin: string): string | undefined {
    const state = this.#latest(origin)
    if (state?.kind !== 'rules' || this.#told.has(state)) return undefined
    this.#told.add(state)
    return rulesFor(state.robots, this.#options.agentToken)
  }

  /** Whether the latest known file of an origin names a sitemap. */
  namesSitemap(origin: string, sitemap: string): boolean {
    const state = this.#latest(origin)
    if (state?.kind !== 'rules') return false
    let named = this.#named.get(state)
    if (!named) {
      named = new Set(robotsSitemaps(state.robots, origin).map(({ url }) => url))
      this.#named.set(state, named)
    }
    return named.has(sitemap)
  }

  /** What another worker knows of an origin that it has to itself. */
  lend(record: RobotsRecord): void {
    this.#drop(record.origin)
    this.#stored.set(record.origin, packedRecord(record))
  }

  /** What another worker knew of an origin, unless it was asked for here since. */
  learn(record: RobotsRecord): void {
    const known = this.#latest(record.origin)
    if (known && known.kind !== 'forbidden' && known.record.fetchedAt >= record.fetchedAt) return
    this.lend(record)
  }

  /** What went over the wire for an origin's file, once: whoever asks first is to keep it. */
  takeExchanges(origin: string): readonly RobotsExchange[] | undefined {
    const exchanges = this.#exchanges.get(origin)
    this.#exchanges.delete(origin)
    return exchanges
  }

  /** What must survive a restart, of the origins asked since then; the oldest first, and not too much at a time. */
  records(since = 0): Pick<FetcherMemory, 'robotsRecords' | 'robotsUntil'> {
    const records: RobotsRecord[] = []
    for (const record of this.#stored.values()) if (record.fetchedAt >= since) records.push(record)
    for (const state of this.#states.values())
      if (state.kind !== 'forbidden' && state.record.fetchedAt >= since) records.push(state.record)
    records.sort((a, b) => a.fetchedAt - b.fetchedAt)
    let chars = 0
    const end = records.findIndex((record) => {
      chars += textChars(record)
      return chars > MAX_HANDED_CHARS && record.fetchedAt > records[0].fetchedAt
    })
    if (end < 0) return { robotsRecords: records }
    return { robotsRecords: records.slice(0, end), robotsUntil: records[end].fetchedAt }
  }

  async #load(origin: string): Promise<RobotsState | undefined> {
    const { now, closedWhenDenied = false } = this.#options
    const keptBodies: Uint8Array[] = []
    const get = (url: URL) => this.#getAndNote(origin, url, keptBodies)
    const finding = await askForRobots(origin, get, closedWhenDenied, now)
    for (const body of keptBodies) releasePages(body)
    if (finding === undefined) return undefined
    if (finding.kind === 'forbidden') {
      const until = now() + FORBIDDEN_SECONDS
      return this.#keep(origin, { kind: 'forbidden', reason: finding.reason, until })
    }
    const before = this.#latest(origin)
    const previous = before?.kind === 'forbidden' ? undefined : before?.record
    const state = this.#stateOf(robotsRecord(origin, previous, finding, now()))
    if (state.kind === 'rules' && finding.kind !== 'unreachable') this.#noteSitemaps(origin, state)
    return this.#keep(origin, state)
  }

  /** What is written at once need not wait in memory for the host's next page, which may never come. */
  async #getAndNote(origin: string, url: URL, keptBodies: Uint8Array[]): ReturnType<GetRobots> {
    const answer = await this.#options.get(url)
    if (!answer?.exchange) return answer
    const file = { url: url.href, exchange: answer.exchange }
    if (this.#options.keepRobots) {
      this.#options.keepRobots(file)
      keptBodies.push(file.exchange.body)
    } else this.#exchanges.set(origin, [...(this.#exchanges.get(origin) ?? []), file])
    return answer
  }

  #latest(origin: string): RobotsState | undefined {
    const state = this.#states.get(origin)
    if (state) return state
    const record = this.#stored.get(origin)
    return record && this.#keep(origin, this.#stateOf(record))
  }

  #stateOf(record: RobotsRecord): RobotsState {
    const { now, agentToken } = this.#options
    const text = textInForce(record, now())
    const packed = packedRecord(record)
    if (text === undefined) return { kind: 'no', record: packed }
    return { kind: 'rules', robots: robotsFor(parseRobots(text), agentToken), record: packed }
  }

  #keep(origin: string, state: RobotsState): RobotsState {
    this.#drop(origin)
    this.#stored.delete(origin)
    this.#states.set(origin, state)
    this.#chars += charsOf(state)
    if (isLarge(state)) this.#large.add(origin)
    // Large ones make room for others: small ones would free little, and each is another request.
    const isTooMuch = () => this.#chars > MAX_CHARS || this.#states.size > MAX_ORIGINS
    for (const oldest of this.#large) if (isTooMuch() && oldest !== origin) this.#drop(oldest)
    for (const oldest of this.#states.keys()) {
      if (!isTooMuch()) break
      if (oldest !== origin) this.#drop(oldest)
    }
    return state
  }

  #drop(origin: string): void {
    const state = this.#states.get(origin)
    if (!state) return
    this.#chars -= charsOf(state)
    this.#states.delete(origin)
    this.#large.delete(origin)
  }

  #noteSitemaps(origin: string, state: RobotsState & { kind: 'rules' }): void {
    if (this.#options.sitemaps === false) return
    this.#found.set(origin, robotsSitemaps(state.robots, origin))
  }
}

/** Without any answer, the fault may have been ours: by another run the network may be there. */
function mayBeReachable({ kind, reason = '' }: RobotsRecord): boolean {
  return kind === 'unreachable' && !/^(?:status|body) /.test(reason)
}

function charsOf(state: RobotsState): number {
  return state.kind === 'forbidden' ? 0 : weightOf(state.record)
}

function isLarge(state: RobotsState): boolean {
  return charsOf(state) > LARGE_CHARS
}

/** In characters; the rules of a large file take more memory than its text. */
function weightOf(record: RobotsRecord): number {
  const chars = textChars(record)
  return chars > LARGE_CHARS ? LARGE_WEIGHT * chars : chars
}
