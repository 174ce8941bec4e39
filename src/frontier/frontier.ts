import { GrowingColumn } from '#numeric/grow.ts'
import { ChangeClaims } from './change-claims.ts'
import { Duplicates } from './duplicates.ts'
import type { GraphFacts, RefreshFacts } from './graph-facts.ts'
import { InLinks } from './in-links.ts'
import { type LinkRow, LinkStore } from './link-store.ts'
import { Patterns } from './patterns.ts'
import { TextStates } from './text-states.ts'
import { UrlClasses } from './url-classes.ts'
import {
  isKeptOut,
  NOBODY,
  URL_SOURCES,
  URL_STATES,
  type UrlSource,
  type UrlState,
} from './url-states.ts'
import { UrlTable } from './url-table.ts'
import { Validators } from './validators.ts'

const KNOWN = URL_STATES.indexOf('known')
const FAILED = URL_STATES.indexOf('failed')
const PAGE = URL_STATES.indexOf('page')

/** A failed URL is tried this often in all. */
export const MAX_FAILURES = 3

/** What one fetch told about its URL. */
export interface Visit {
  readonly state: UrlState
  readonly at: number
  /** When a URL that failed, or that we were kept from, may be tried again. */
  readonly retryAt?: number
  readonly contentHash?: string
}

/**
 * Everything known about each URL, fetched or not. Columns are indexed by URL number; times are
 * seconds since 1970.
 */
export class Frontier {
  readonly urls = new UrlTable()
  readonly links = new LinkStore()
  readonly patterns = new Patterns()
  readonly classes = new UrlClasses(this.urls)
  readonly duplicates = new Duplicates()
  readonly claims = new ChangeClaims()
  readonly validators = new Validators()
  readonly texts = new TextStates()
  readonly #inLinks = new InLinks()
  readonly #states = new GrowingColumn(Uint8Array)
  readonly #sources = new GrowingColumn(Uint8Array)
  readonly #depths = new GrowingColumn(Uint16Array)
  readonly #finders = new GrowingColumn(Int32Array)
  readonly #firstSeen = new GrowingColumn(Float64Array)
  readonly #lastVisit = new GrowingColumn(Float64Array)
  readonly #retryAt = new GrowingColumn(Float64Array)
  readonly #failures = new GrowingColumn(Uint8Array)
  readonly #visits = new GrowingColumn(Uint32Array)
  readonly #contentKeys = new GrowingColumn(Float64Array)
  readonly #visitedOfHost = new GrowingColumn(Uint32Array)
  readonly #visitedOfDomain = new GrowingColumn(Uint32Array)

  get size(): number {
    return this.urls.size
  }

  /** The URL's number; a URL not known before is remembered with how it was found, and by which page. */
  add(url: string, source: UrlSource, depth: number, at: number, finder = NOBODY): number {
    const number = this.urls.add(url)
    if (number === this.#states.length) {
      this.#begin(source, depth, at, finder)
      this.patterns.add(url)
    }
    return number
  }

  /** Takes up how the next URL that `urls` restored was found, and its pattern if that was stored too. */
  restore(
    source: UrlSource,
    depth: number,
    at: number,
    pattern: number | undefined,
    finder: number,
  ): void {
    const number = this.#states.length
    this.#begin(source, depth, at, finder)
    if (pattern === undefined) this.patterns.add(this.urls.urlOf(number))
    else this.patterns.restore(pattern)
  }

  #begin(source: UrlSource, depth: number, at: number, finder: number): void {
    this.#states.push(KNOWN)
    this.#finders.push(finder)
    this.#sources.push(URL_SOURCES.indexOf(source))
    this.#depths.push(Math.min(depth, 0xffff))
    this.#firstSeen.push(at)
    this.#lastVisit.push(0)
    this.#retryAt.push(0)
    this.#failures.push(0)
    this.#contentKeys.push(0)
  }

  stateOf(url: number): UrlState {
    return URL_STATES[this.#states.at(url)]
  }

  sourceOf(url: number): UrlSource {
    return URL_SOURCES[this.#sources.at(url)]
  }

  depthOf(url: number): number {
    return this.#depths.at(url)
  }

  firstSeenOf(url: number): number {
    return this.#firstSeen.at(url)
  }

  /** The page whose links were the first to tell of the URL, or NOBODY. */
  finderOf(url: number): number {
    return this.#finders.at(url)
  }

  /** By URL: what `finderOf` gives, without a copy. */
  finders(): Int32Array {
    return this.#finders.view()
  }

  /** Pages that link to a URL now. */
  inLinksOf(url: number): number {
    return this.#inLinks.of(url)
  }

  /** A page has these links now; gives those it did not have before, good until the next call. */
  replaceLinks(page: number, row: LinkRow): Uint32Array {
    const before = this.links.targetsOf(page)
    this.links.replace(page, row)
    return this.#inLinks.replace(before, row.targets, this.size)
  }

  /** Counts the links that were read back into `links`. */
  countRestoredLinks(): void {
    const none = new Uint32Array(0)
    for (let url = 0; url < this.size; url++) {
      const targets = this.links.targetsOf(url)
      if (targets.length > 0) this.#inLinks.replace(none, targets, this.size)
    }
  }

  /** Whether the content differs from what was stored; true for a page never stored. */
  isNewContent(url: number, contentHash: string): boolean {
    return this.#contentKeys.at(url) !== contentKey(contentHash)
  }

  /**
   * Notes whether a fetch, before it is counted as a visit, brought content of its own. Only first fetches
   * tell traps: that a copy is still good speaks for its pattern, if anything.
   */
  judge(url: number, fresh: boolean): void {
    if (this.#lastVisit.at(url) === 0) this.patterns.record(url, fresh)
  }

  /** Notes what a fetch of the URL came to. */
  visit(url: number, visit: Visit): void {
    if (this.#lastVisit.at(url) === 0 && visit.state !== 'failed') this.#countFirstVisit(url)
    if (visit.state !== 'failed') this.#lastVisit.set(url, visit.at)
    // A copy is still held when it could not be fetched again.
    const isKept = visit.state === 'failed' && this.#states.at(url) === PAGE
    if (!isKept) this.#states.set(url, URL_STATES.indexOf(visit.state))
    this.#failures.set(url, visit.state === 'failed' ? this.#failures.at(url) + 1 : 0)
    this.#retryAt.set(url, visit.retryAt ?? 0)
    if (visit.contentHash !== undefined) this.#contentKeys.set(url, contentKey(visit.contentHash))
    // Its links are gone with the page: should it come back as it was, they are news again.
    if (visit.state === 'gone' || visit.state === 'redirect') this.#contentKeys.set(url, 0)
  }

  /** Takes up what a stored copy's content was, by the first 52 bits of its hash. */
  restoreContent(url: number, contentKey: number): void {
    const state = this.stateOf(url)
    if (state !== 'gone' && state !== 'redirect') this.#contentKeys.set(url, contentKey)
  }

  #countFirstVisit(url: number): void {
    this.#visits.push(url)
    const columns = [
      [this.#visitedOfHost, this.urls.hosts()[url]],
      [this.#visitedOfDomain, this.urls.domains()[url]],
    ] as const
    for (const [column, group] of columns) {
      while (column.length <= group) column.push(0)
      column.set(group, column.at(group) + 1)
    }
  }

  /** URLs fetched so far of each host, and of each registrable domain; short of those with none. */
  visited(): { readonly byHost: Uint32Array; readonly byDomain: Uint32Array } {
    return { byHost: this.#visitedOfHost.view(), byDomain: this.#visitedOfDomain.view() }
  }

  lastVisitOf(url: number): number {
    return this.#lastVisit.at(url)
  }

  /** Leaves the URL alone until then; its host's troubles are not its own. */
  postpone(url: number, until: number): void {
    this.#retryAt.set(url, until)
  }

  /** If we were kept from the URL, it may be asked about again from then on. */
  askAgain(url: number, from: number): void {
    if (isKeptOut(this.stateOf(url))) this.#retryAt.set(url, from)
  }

  failuresOf(url: number): number {
    return this.#failures.at(url)
  }

  /** When a URL that failed, or that we were kept from, may be tried again; 0 for others. */
  retryAtOf(url: number): number {
    return this.#retryAt.at(url)
  }

  /** URLs that may be fetched for the first time now, ascending. */
  unfetched(now: number): Uint32Array {
    const states = this.#states.view()
    const retryAt = this.#retryAt.view()
    const failures = this.#failures.view()
    const found = new Uint32Array(states.length)
    let count = 0
    for (let url = 0; url < states.length; url++) {
      const isOpen =
        states[url] === KNOWN ||
        (states[url] === FAILED && failures[url] < MAX_FAILURES) ||
        (retryAt[url] > 0 && isKeptOut(URL_STATES[states[url]]))
      if (isOpen && retryAt[url] <= now) found[count++] = url
    }
    return found.slice(0, count)
  }

  /** How many URLs are in each state. */
  countByState(): Record<UrlState, number> {
    const counts = new Array<number>(URL_STATES.length).fill(0)
    for (const state of this.#states.view()) counts[state]++
    return Object.fromEntries(URL_STATES.map((state, i) => [state, counts[i]])) as Record<
      UrlState,
      number
    >
  }

  /**
   * What refreshing policies read: the pages held that may be fetched now, and how old each copy is. Some may
   * be left out, by their age or for another reason.
   */
  refreshFacts(
    now: number,
    isWanted: (url: number, ageSeconds: number) => boolean = () => true,
  ): RefreshFacts {
    const states = this.#states.view()
    const lastVisit = this.#lastVisit.view()
    const retryAt = this.#retryAt.view()
    const pages = new Uint32Array(states.length)
    const ages = new Float64Array(states.length)
    let count = 0
    for (let url = 0; url < states.length; url++) {
      const age = now - lastVisit[url]
      if (states[url] !== PAGE || retryAt[url] > now || !isWanted(url, age)) continue
      pages[count] = url
      ages[count++] = age
    }
    return { pages: pages.subarray(0, count), ages: ages.subarray(0, count) }
  }

  /** What link-based policies read; safe to keep while the frontier grows, as these columns only get longer. */
  graphFacts(now: number, seed: number): GraphFacts {
    return {
      candidates: this.unfetched(now),
      links: this.links.toCsr(this.size),
      depths: this.#depths.view(),
      hosts: this.urls.hosts(),
      domains: this.urls.domains(),
      visits: this.#visits.view(),
      seed,
    }
  }
}

/** 52 bits of a hex hash: enough to tell two versions of one page apart, in one float. */
function contentKey(contentHash: string): number {
  return Number.parseInt(contentHash.slice(0, 13), 16)
}
