import { GrowingColumn } from '#numeric/grow.ts'
import { hash32 } from '#numeric/hash.ts'
import { hostOf } from '#parse/url/canonical-url.ts'
import { urlPattern } from '#parse/url/url-pattern.ts'
import type { UrlSource } from './url-states.ts'

/** Patterns are numbered below this, by bits of their hash: a rare collision costs little. */
const PATTERN_COUNT = 1 << 20
/** So many fetches of one pattern make evidence. */
const ENOUGH_FETCHES = 20
/** A pattern that brings less fresh content than this share is barren. */
const BARREN_SHARE = 0.1
/** A barren pattern still gets so many fetches a cycle, in case it recovers. */
const BARREN_FETCHES = 1

/**
 * What URLs of one shape (`/calendar/{n}/{n}`, `/item?id=`) have brought so far. Traps are endless
 * families of addresses; a family that stops bringing anything new is throttled, whatever it looks
 * like. Recent fetches count more: both sums are halved when they grow, so a pattern may recover.
 */
export class Patterns {
  readonly #bucketOfUrl = new GrowingColumn(Uint32Array)
  readonly #fetched = new Uint16Array(PATTERN_COUNT)
  readonly #fresh = new Uint16Array(PATTERN_COUNT)
  #barren = 0

  /** Remembers the pattern of the next URL number. */
  add(url: string, pattern = urlPattern(url)): void {
    this.#bucketOfUrl.push(hash32(pattern) & (PATTERN_COUNT - 1))
  }

  /** The same, by the number that `numberOf` gave: to find a pattern is dear. */
  restore(number: number): void {
    this.#bucketOfUrl.push(number & (PATTERN_COUNT - 1))
  }

  /** A number for the URL's pattern, below 2^20. */
  numberOf(url: number): number {
    return this.#bucketOfUrl.at(url)
  }

  /** Notes whether a fetch of the URL brought content that nothing else had brought. */
  record(url: number, fresh: boolean): void {
    const bucket = this.#bucketOfUrl.at(url)
    const before = this.#isBarren(bucket)
    if (this.#fetched[bucket] >= 4 * ENOUGH_FETCHES) {
      this.#fetched[bucket] >>= 1
      this.#fresh[bucket] >>= 1
    }
    this.#fetched[bucket]++
    if (fresh) this.#fresh[bucket]++
    this.#barren += Number(this.#isBarren(bucket)) - Number(before)
  }

  /** How many patterns are throttled now. */
  get barrenCount(): number {
    return this.#barren
  }

  /** A cap for the scheduler: barren patterns get a trickle, the others what they can. */
  quota(): { groups: Uint32Array; most: Float64Array } | undefined {
    if (this.#barren === 0) return undefined
    const most = new Float64Array(PATTERN_COUNT).fill(Number.POSITIVE_INFINITY)
    for (let bucket = 0; bucket < PATTERN_COUNT; bucket++)
      if (this.#isBarren(bucket)) most[bucket] = BARREN_FETCHES
    return { groups: this.#bucketOfUrl.view(), most }
  }

  #isBarren(bucket: number): boolean {
    const fetched = this.#fetched[bucket]
    return fetched >= ENOUGH_FETCHES && this.#fresh[bucket] < BARREN_SHARE * fetched
  }
}

/** Sitemaps that robots.txt or another sitemap names are judged together: an endless index has endless names. */
export function patternBySource(source: UrlSource, url: string): string | undefined {
  const isSitemap = source === 'robots' || source === 'sitemap-index'
  return isSitemap ? `sitemaps of ${hostOf(url)}` : undefined
}
