import { GrowingColumn } from '#numeric/grow.ts'
import { hash32 } from '#numeric/hash.ts'
import { WordPairMap } from '#numeric/word-pair-map.ts'
import { hostOf } from '#parse/url/canonical-url.ts'
import { urlPattern } from '#parse/url/url-pattern.ts'
import type { UrlSource } from './url-states.ts'
import type { UrlTable } from './url-table.ts'

/** Patterns of a domain are told apart by bits of their hash: a rare collision costs little, and no other domain. */
const PATTERN_COUNT = 1 << 20
const PATTERN_BITS = PATTERN_COUNT - 1
/** So many fetches of one pattern make evidence. */
const ENOUGH_FETCHES = 20
/** A pattern that brings less fresh content than this share is barren. */
const BARREN_SHARE = 0.1
/** A barren pattern still gets so many fetches a cycle, in case it recovers, … */
const BARREN_FETCHES = 1
/** … and none of so many fetches after one: plans may be short. */
const BARREN_REST = 20

/**
 * What URLs of one shape (`/calendar/{n}/{n}`, `/item?id=`) have brought so far. Traps are endless
 * families of addresses; a family that stops bringing anything new is throttled, whatever it looks
 * like. Recent fetches count more: both sums are halved when they grow, so a pattern may recover.
 */
export class Patterns {
  readonly #urls: Pick<UrlTable, 'domains'>
  readonly #bitsOfUrl = new GrowingColumn(Uint32Array)
  /** By domain and bits: the pattern's number; only of those that somebody fetched. */
  readonly #numbers = new WordPairMap()
  readonly #fetched = new GrowingColumn(Uint8Array)
  readonly #fresh = new GrowingColumn(Uint8Array)
  /** Of all fetches, the one that was the pattern's latest. */
  readonly #latest = new GrowingColumn(Float64Array)
  /** By bits: how many domains have a barren pattern with these. Most have none, which saves looking further. */
  readonly #barrenOf = new Uint32Array(PATTERN_COUNT)
  #barren = 0
  #fetches = 0

  constructor(urls: Pick<UrlTable, 'domains'>) {
    this.#urls = urls
  }

  /** Remembers the pattern of the next URL number. */
  add(url: string, pattern = urlPattern(url)): void {
    this.#bitsOfUrl.push(hash32(pattern) & PATTERN_BITS)
  }

  /** The same, by the number that `numberOf` gave: to find a pattern is dear. */
  restore(number: number): void {
    this.#bitsOfUrl.push(number & PATTERN_BITS)
  }

  /** A number for the URL's pattern among those of its domain, below 2^20. */
  numberOf(url: number): number {
    return this.#bitsOfUrl.at(url)
  }

  /** Notes whether a fetch of the URL brought content that nothing else had brought. */
  record(url: number, fresh: boolean): void {
    const pattern = this.#patternOf(url)
    const before = this.#isBarren(pattern)
    const [fetched, found] = [this.#fetched.at(pattern), this.#fresh.at(pattern)]
    const isFull = fetched >= 4 * ENOUGH_FETCHES
    this.#fetched.set(pattern, (isFull ? fetched >> 1 : fetched) + 1)
    this.#fresh.set(pattern, (isFull ? found >> 1 : found) + (fresh ? 1 : 0))
    const change = Number(this.#isBarren(pattern)) - Number(before)
    this.#barrenOf[this.#bitsOfUrl.at(url)] += change
    this.#barren += change
    this.#latest.set(pattern, this.#fetches)
  }

  /** Counts a fetch, of whatever pattern. */
  countFetch(): void {
    this.#fetches++
  }

  /** How many patterns are throttled now. */
  get barrenCount(): number {
    return this.#barren
  }

  /**
   * A cap for the scheduler: barren patterns get a trickle, the others, which are one group, what they can. Where
   * nothing else is left, patterns need not rest.
   */
  quota(mayRest = true): { groups: Uint32Array; most: Float64Array } | undefined {
    if (this.#barren === 0) return undefined
    const [domains, bits] = [this.#urls.domains(), this.#bitsOfUrl.view()]
    const groups = new Uint32Array(bits.length)
    const groupOf = new Map<number, number>() // by pattern
    const most = [Number.POSITIVE_INFINITY]
    for (let url = 0; url < groups.length; url++) {
      if (this.#barrenOf[bits[url]] === 0) continue
      const pattern = this.#numbers.get(bits[url], domains[url])
      if (pattern === undefined || !this.#isBarren(pattern)) continue
      if (!groupOf.has(pattern)) {
        const rests = mayRest && this.#fetches - this.#latest.at(pattern) < BARREN_REST
        groupOf.set(pattern, most.push(rests ? 0 : BARREN_FETCHES) - 1)
      }
      groups[url] = groupOf.get(pattern)!
    }
    return { groups, most: Float64Array.from(most) }
  }

  #patternOf(url: number): number {
    const [bits, domain] = [this.#bitsOfUrl.at(url), this.#urls.domains()[url]]
    const known = this.#numbers.get(bits, domain)
    if (known !== undefined) return known
    const number = this.#fetched.push(0)
    this.#fresh.push(0)
    this.#latest.push(0)
    this.#numbers.set(bits, domain, number)
    return number
  }

  #isBarren(pattern: number): boolean {
    const fetched = this.#fetched.at(pattern)
    return fetched >= ENOUGH_FETCHES && this.#fresh.at(pattern) < BARREN_SHARE * fetched
  }
}

/** Sitemaps that robots.txt or another sitemap names are judged together: an endless index has endless names. */
export function patternBySource(source: UrlSource, url: string): string | undefined {
  const isSitemap = source === 'robots' || source === 'sitemap-index'
  return isSitemap ? `sitemaps of ${hostOf(url)}` : undefined
}
