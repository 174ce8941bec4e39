import { GrowingColumn } from '#numeric/grow.ts'
import { mixHash } from '#numeric/hash.ts'
import { WordPairMap } from '#numeric/word-pair-map.ts'
import { RatePrior } from './rate-prior.ts'
import { LISTING_GROUPS, MENU_GROUPS } from './yield-groups.ts'

/** New pages a day expected of any page before anything is known: about one in three years. */
const FIRST_GUESS_PER_DAY = 0.001
/** The same of pages in menus, for each page of the site that was ever held: small sites publish little. */
const CENTRAL_GUESS_PER_PAGE_DAY = 0.001

/**
 * How many new pages a day a page leads to that was never revisited, by its set of groups: by what first
 * revisits of its cohort came to, beginning with what menus, sitemaps and feeds promise.
 */
export class GroupRates {
  readonly #sets = new GroupSets()
  readonly #prior = new RatePrior(
    FIRST_GUESS_PER_DAY,
    new Map(
      [MENU_GROUPS, LISTING_GROUPS].flatMap((groups) =>
        groups.map((group, level) => [
          this.#sets.numberOf(group),
          CENTRAL_GUESS_PER_PAGE_DAY * 2 ** level,
        ]),
      ),
    ),
  )
  readonly #menus = new Set(MENU_GROUPS.map((group) => this.#sets.numberOf(group)))

  /** The number of a set of groups, the widest first. */
  setOf(groups: Uint32Array): number {
    return this.#sets.add(groups)
  }

  /** Whether pages of the set are in menus. */
  isOfMenus(set: number): boolean {
    return this.#menus.has(this.#sets.firstOf(set))
  }

  /** Takes in the first revisit of a page of the set. */
  record(set: number, novel: number, days: number): void {
    this.#prior.record(this.#sets.at(set), novel, days)
  }

  /** New pages a day that are expected of a page of the set. */
  perDay(set: number): number {
    return this.#prior.perDay(this.#sets.at(set))
  }

  /** The same as of now, by set; each is worked out once, as many pages share one. */
  ratesNow(): (set: number) => number {
    const perDay = new Float64Array(this.#sets.size)
    return (set) => {
      if (perDay[set] === 0) perDay[set] = this.perDay(set)
      return perDay[set]
    }
  }
}

/**
 * Sets of groups as small integers: millions of pages share some thousands of them. Groups come as any 32
 * bits, and are small integers in the sets too.
 */
class GroupSets {
  /** Set n has the groups from `ends[n]` to `ends[n + 1]`. */
  readonly #groups = new GrowingColumn(Uint32Array)
  readonly #ends = new GrowingColumn(Uint32Array)
  readonly #numbers = new WordPairMap()
  readonly #groupNumbers = new WordPairMap()

  constructor() {
    this.#ends.push(0)
  }

  get size(): number {
    return this.#ends.length - 1
  }

  /** The number of a set, from 0; the next free one if it is new. */
  add(groups: Uint32Array): number {
    // 64 bits, so that two sets practically never share a key.
    let low = groups.length
    let high = 0
    for (let i = 0; i < groups.length; i++) {
      low = mixHash(low, groups[i])
      high = mixHash(high + 1, groups[i])
    }
    const known = this.#numbers.get(low, high)
    if (known !== undefined) return known
    const number = this.size
    for (let i = 0; i < groups.length; i++) this.#groups.push(this.numberOf(groups[i]))
    this.#ends.push(this.#groups.length)
    this.#numbers.set(low, high, number)
    return number
  }

  /** The groups of a set, each by a number from 0. */
  at(number: number): Uint32Array {
    const ends = this.#ends.view()
    return this.#groups.view().subarray(ends[number], ends[number + 1])
  }

  /** The first group of a set that has any. */
  firstOf(number: number): number {
    return this.#groups.view()[this.#ends.view()[number]]
  }

  /** The number of a group in the sets. */
  numberOf(group: number): number {
    const known = this.#groupNumbers.get(group, 0)
    const number = known ?? this.#groupNumbers.size
    if (known === undefined) this.#groupNumbers.set(group, 0, number)
    return number
  }
}
