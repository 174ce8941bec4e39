import { GrowingColumn } from '#numeric/grow.ts'
import { ChangeClaims } from './change-claims.ts'
import type { GraphFacts, RefreshFacts } from './graph-facts.ts'
import { Instructed } from './instructions.ts'
import { InLinks } from './links/in-links.ts'
import { type LinkRow, LinkStore } from './links/link-store.ts'
import { Duplicates } from './texts/duplicates.ts'
import { Renderings } from './texts/renderings.ts'
import { contentKey } from './texts/text-marks.ts'
import { TextStates } from './texts/text-states.ts'
import { AddressChances } from './urls/address-chances.ts'
import { Discoveries } from './urls/discoveries.ts'
import { FirstVisits } from './urls/first-visits.ts'
import { ForeignUrls } from './urls/foreign-urls.ts'
import { Lineages } from './urls/lineages.ts'
import { NamedLists } from './urls/named-lists.ts'
import { Patterns, patternBySource } from './urls/patterns.ts'
import { RedirectChains } from './urls/redirect-chains.ts'
import { RobotsRules } from './urls/robots-rules.ts'
import { UrlClasses } from './urls/url-classes.ts'
import {
  isKeptOut,
  isNoPage,
  NOBODY,
  URL_STATES,
  type UrlSource,
  type UrlState,
  type Visit,
} from './urls/url-states.ts'
import { UrlTable } from './urls/url-table.ts'
import { Validators } from './validators.ts'
import {
  heldPages,
  MAX_FAILURES,
  mayBeFetchedFirst,
  nextLookAt,
  secondLooks,
  unfetchedUrls,
  type Waits,
} from './waiting-urls.ts'

const KNOWN = URL_STATES.indexOf('known')
const PAGE = URL_STATES.indexOf('page')

/** A copy whose page has failed so often in a row, which takes a month at least, is lost. */
const LOST_AFTER_FAILURES = 9

/**
 * Everything known about each URL, fetched or not. Columns are indexed by URL number; times are
 * seconds since 1970.
 */
export class Frontier {
  readonly urls = new UrlTable()
  readonly discoveries = new Discoveries()
  readonly links = new LinkStore()
  readonly redirects = new RedirectChains(this.discoveries)
  readonly patterns = new Patterns(this.urls)
  readonly named = new NamedLists()
  readonly classes = new UrlClasses(this.urls)
  readonly addresses = new AddressChances(this.urls)
  readonly robots = new RobotsRules(this.urls)
  readonly duplicates = new Duplicates((url) => this.foreign.groupOf(url))
  readonly claims = new ChangeClaims()
  readonly validators = new Validators()
  readonly texts = new TextStates()
  readonly renderings = new Renderings()
  /** By URL, of the few that say so: when its copy may not be shown any more. */
  readonly unavailableAfter = new Map<number, number>()
  readonly lineages = new Lineages()
  readonly instructed = new Instructed()
  readonly foreign = new ForeignUrls(this.urls)
  readonly #seeds = new Set<number>()
  readonly #inLinks = new InLinks()
  readonly #states = new GrowingColumn(Uint8Array)
  readonly #lastVisit = new GrowingColumn(Float64Array)
  readonly #retryAt = new GrowingColumn(Float64Array)
  readonly #failures = new GrowingColumn(Uint8Array)
  readonly #contentKeys = new GrowingColumn(Float64Array)
  readonly #visits = new FirstVisits()

  get size(): number {
    return this.urls.size
  }

  /** The URL's number; a URL not known before is remembered with how it was found, and by which page. */
  add(url: string, source: UrlSource, depth: number, at: number, finder = NOBODY): number {
    const number = this.urls.add(url)
    if (number === this.#states.length) {
      this.#begin(source, depth, at, finder)
      this.patterns.add(url, patternBySource(source, url))
    }
    if (source === 'seed') this.#markSeed(number) // even if other hosts linked to it before
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
    if (pattern === undefined) {
      const url = this.urls.urlOf(number)
      this.patterns.add(url, patternBySource(source, url))
    } else this.patterns.restore(pattern)
    if (source === 'seed') this.#markSeed(number)
  }

  #markSeed(url: number): void {
    this.#seeds.add(url)
    this.lineages.begin(this.urls.hostNumberOf(url))
  }

  #begin(source: UrlSource, depth: number, at: number, finder: number): void {
    const number = this.#states.length
    const size = number + 1
    if (this.urls.hostNumberOf(number) === this.lineages.hostCount) {
      const finderHost = finder === NOBODY ? undefined : this.urls.hostNumberOf(finder)
      this.lineages.add(this.urls.domains()[number], finderHost)
    }
    this.#states.lengthen(size, KNOWN)
    this.named.begin(source)
    this.discoveries.begin(source, depth, at, finder)
    this.#lastVisit.lengthen(size)
    this.#retryAt.lengthen(size)
    this.#failures.lengthen(size)
    this.#contentKeys.lengthen(size)
  }

  stateOf(url: number): UrlState {
    return URL_STATES[this.#states.at(url)]
  }

  /** Pages that link to a URL now. */
  inLinksOf(url: number): number {
    return this.#inLinks.of(url)
  }

  /** A page has these links now; gives those it did not have before, good until the next call. */
  replaceLinks(page: number, row: LinkRow): Uint32Array {
    const before = this.links.targetsOf(page)
    this.links.replace(page, row)
    this.named.noteLinks(page, row)
    return this.#inLinks.replace(before, row.targets, this.size)
  }

  /** Counts the links that were read back into `links`. */
  countRestoredLinks(): void {
    const none = new Uint32Array(0)
    for (let url = 0; url < this.size; url++) {
      const row = this.links.rowOf(url)
      if (row.targets.length === 0) continue
      this.#inLinks.replace(none, row.targets, this.size)
      this.named.noteLinks(url, row)
      if (this.stateOf(url) === 'redirect') this.redirects.note(url, row.targets[0])
    }
  }

  /** Whether the content differs from what was stored; true for a page never stored. */
  isNewContent(url: number, contentHash: string): boolean {
    return this.#contentKeys.at(url) !== contentKey(contentHash)
  }

  /** Notes whether a first fetch brought content of its own. Only those tell traps: a copy that is still good speaks for its pattern. */
  judge(url: number, fresh: boolean): void {
    this.patterns.record(url, fresh)
    if (fresh) this.lineages.recordGood(this.urls.hostNumberOf(url))
  }

  /** Whether the operator named it. */
  isSeed(url: number): boolean {
    return this.#seeds.has(url)
  }

  /** Seeds that may be fetched for the first time now, ascending. */
  unfetchedSeeds(now: number): Uint32Array {
    return this.#unfetchedOf(this.#seeds, now)
  }

  /** Sitemaps and feeds that sites name and that may be fetched for the first time now, ascending. */
  unfetchedLists(now: number): Uint32Array {
    return this.#unfetchedOf(this.named.urls(), now)
  }

  #unfetchedOf(urls: Iterable<number>, now: number): Uint32Array {
    const waits = this.#waits()
    return Uint32Array.from(urls)
      .filter((url) => mayBeFetchedFirst(waits, url, now))
      .sort()
  }

  /** Notes what a fetch of the URL came to. */
  visit(url: number, visit: Visit): void {
    this.patterns.countFetch()
    const failures = visit.state === 'failed' ? this.#failures.at(url) + 1 : 0
    const host = this.urls.hostNumberOf(url)
    this.lineages.recordFetch(host, !this.#visits.hasHost(host))
    const look = () => nextLookAt(this.#waits(), url, this.#lastVisit.at(url), visit.at)
    const retryAt = visit.retryAt ?? (isNoPage(visit.state) ? look() : 0)
    if (this.#lastVisit.at(url) === 0 && visit.state !== 'failed')
      this.#visits.count(url, host, this.urls.domains()[url])
    if (visit.state !== 'failed') this.#lastVisit.set(url, visit.at)
    // A failed fetch does not end a copy at once: it stays held for some time.
    const hadCopy = this.#states.at(url) === PAGE
    const isLost = hadCopy && failures >= LOST_AFTER_FAILURES
    const isKept = visit.state === 'failed' && hadCopy && !isLost
    if (!isKept) this.#states.set(url, URL_STATES.indexOf(visit.state))
    this.#failures.set(url, Math.min(failures, 0xff))
    this.#retryAt.set(url, retryAt)
    if (visit.contentKey !== undefined) this.#contentKeys.set(url, visit.contentKey)
    if (this.isLost(url)) this.#forgetCopy(url)
  }

  /** Lets go of a copy: its page is as if it had never been fetched. */
  forget(url: number): void {
    if (this.#states.at(url) === PAGE) this.#states.set(url, KNOWN)
    this.#forgetCopy(url)
  }

  /** The text is forgotten with the page: should it come back as it was, all of it is new again. */
  #forgetCopy(url: number): void {
    this.#contentKeys.set(url, 0)
    this.validators.set(url, {})
    this.unavailableAfter.delete(url)
    this.renderings.forget(url)
    this.duplicates.leave(url)
    this.duplicates.note(url, undefined)
  }

  /** Whether no copy of the URL's page is held or to be expected. */
  isLost(url: number): boolean {
    const state = this.stateOf(url)
    if (isKeptOut(state)) return this.#contentKeys.at(url) === 0
    return isNoPage(state) || (state === 'failed' && this.#failures.at(url) >= MAX_FAILURES)
  }

  /**
   * Releases the duplicates of a page that is lost or hidden. The first of each text is to be
   * fetched as if it were new, and becomes the original of the others. Gives the URLs to be
   * fetched. A page that is only hidden stays the original of others that are hidden too.
   */
  releaseDuplicatesOf(original: number): number[] {
    const heirs = new Map<string, number>()
    const isHidden = this.duplicates.isHidden(original)
    for (const url of this.duplicates.duplicatesOf(original)) {
      if (this.#states.at(url) !== PAGE || (isHidden && this.duplicates.isHidden(url))) continue
      const text = this.texts.keyOf(url)
      const heir = heirs.get(text)
      if (heir !== undefined) {
        this.duplicates.note(url, heir)
        continue
      }
      heirs.set(text, url)
      this.#states.set(url, KNOWN)
      this.#forgetCopy(url)
    }
    return [...heirs.values()]
  }

  /** URLs fetched so far of each host, and of each registrable domain; short of those with none. */
  visited(): { readonly byHost: Uint32Array; readonly byDomain: Uint32Array } {
    return this.#visits.byGroup()
  }

  lastVisitOf(url: number): number {
    return this.#lastVisit.at(url)
  }

  /** By URL: what `lastVisitOf` gives, without a copy. */
  lastVisits(): Float64Array {
    return this.#lastVisit.view()
  }

  /** Leaves the URL alone until then; its host's troubles are not its own. */
  postpone(url: number, until: number): void {
    this.#retryAt.set(url, until)
  }

  /** If something keeps the URL waiting, or there was no page, it may be asked about again from then on. */
  askAgain(url: number, from: number): void {
    const state = this.stateOf(url)
    // A redirect has named its target, and will most likely name it again.
    if (state === 'page' || state === 'redirect') return
    // Nothing holds back what was never asked for.
    this.#retryAt.set(url, state === 'known' ? 0 : from)
  }

  failuresOf(url: number): number {
    return this.#failures.at(url)
  }

  /** When a URL may be tried again that failed, that we were kept from, or that had no page; 0 for others. */
  retryAtOf(url: number): number {
    return this.#retryAt.at(url)
  }

  /** URLs that may be fetched for the first time now, ascending. */
  unfetched(now: number): Uint32Array {
    return unfetchedUrls(this.#waits(), now)
  }

  /** URLs that had no page, or failed time and again, and may be looked at once more now, ascending. */
  secondLooks(now: number): Uint32Array {
    return secondLooks(this.#waits(), now)
  }

  #waits(): Waits {
    const [states, retryAt] = [this.#states.view(), this.#retryAt.view()]
    const isLeftAlone = (url: number) => this.instructed.keepsOut(url) || this.foreign.has(url)
    return { states, retryAt, failures: this.#failures.view(), isLeftAlone }
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
    return heldPages(this.#waits(), this.#lastVisit.view(), now, isWanted)
  }

  /** What link-based policies read; safe to keep while the frontier grows, as these columns only get longer. */
  graphFacts(now: number, seed: number): GraphFacts {
    return {
      candidates: this.unfetched(now),
      links: this.links.toCsr(this.size),
      depths: this.discoveries.depths(),
      hosts: this.urls.hosts(),
      domains: this.urls.domains(),
      visits: this.#visits.urls(),
      seed,
    }
  }
}
