import { GrowingColumn } from '#numeric/grow.ts'

/**
 * What a wider group says weighs as much as so many new pages, however many days these take. In days it
 * would not do: where new pages are rare, a few weeks without any would count as proof that none come.
 */
const TRUST = 0.5
/** Menus show several new pages at once; before any came, so many are expected to, as if one such page had been seen. */
const FIRST_BATCH = 4

/** What first revisits led to. */
interface Seen {
  readonly novel: number
  /** The sum of the squares: large where new pages come in batches. */
  readonly squares: number
  /** The days that they looked back on. */
  readonly days: number
}

const FIELDS = 3
const NOTHING_SEEN: Seen = { novel: 0, squares: 0, days: 0 }

/**
 * How many new pages a day a page leads to, judged before it has ever been revisited by what first
 * revisits of its cohort came to. Only first revisits count: later ones are mostly of good hubs, and
 * would promise as much of every page. Groups are small integers.
 */
export class RatePrior {
  readonly #all: { novel: number; squares: number; days: number }
  /** By group: new pages, their squares, and the days they took. */
  readonly #groups = new GrowingColumn(Float64Array)
  readonly #promises: ReadonlyMap<number, number>

  /** What to expect before anything is known: of any page, and, where more is, by its widest group. */
  constructor(novelPerDay: number, promises: ReadonlyMap<number, number> = new Map()) {
    this.#all = { novel: TRUST, squares: 0, days: TRUST / novelPerDay }
    this.#promises = promises
  }

  /** Takes in the first revisit of a page of these groups. */
  record(groups: Uint32Array, novel: number, days: number): void {
    this.#all.novel += novel
    this.#all.squares += novel ** 2
    this.#all.days += days
    for (const group of groups) this.#groups.lengthen(FIELDS * (group + 1))
    const sums = this.#groups.view()
    for (const group of groups) {
      sums[FIELDS * group] += novel
      sums[FIELDS * group + 1] += novel ** 2
      sums[FIELDS * group + 2] += days
    }
  }

  /** New pages a day expected of a page of these groups, the widest first; each corrects the one before. */
  perDay(groups: Uint32Array): number {
    const promised = this.#promises.get(groups[0])
    return promised === undefined ? this.#ofMany(groups) : this.#ofFew(groups, promised)
  }

  #ofMany(groups: Uint32Array): number {
    let rate = this.#all.novel / this.#all.days
    for (const group of groups) rate = corrected(rate, this.#seenIn(group), TRUST)
    return rate
  }

  /**
   * Where more is promised, groups are small, and all may have seen the same few visits. What a narrower group
   * has seen is left out of the one before it: two visits to menus that showed nothing would else count once
   * for each group, and no menu be looked at again for months. And it is batches that may come or not: the
   * larger they are, the less a few visits without any say.
   */
  #ofFew(groups: Uint32Array, promised: number): number {
    let seen = this.#seenIn(groups[0])
    const ofOthers = without(this.#all, seen)
    let rate = Math.max(promised, ofOthers.novel / ofOthers.days)
    for (let i = 0; i < groups.length; i++) {
      const narrower = i + 1 < groups.length ? this.#seenIn(groups[i + 1]) : NOTHING_SEEN
      const own = without(seen, narrower)
      rate = corrected(rate, own, TRUST * batchOf(own))
      seen = narrower
    }
    return rate
  }

  #seenIn(group: number): Seen {
    const sums = this.#groups.view()
    const at = FIELDS * group
    if (sums.length < at + FIELDS) return NOTHING_SEEN
    return { novel: sums[at], squares: sums[at + 1], days: sums[at + 2] }
  }
}

/** A rate after more was seen; what was expected before counts as `trust` new pages. */
function corrected(rate: number, { novel, days }: Seen, trust: number): number {
  return days > 0 ? (novel + trust) / (days + trust / rate) : rate
}

/** How many new pages come at once with a new page. */
function batchOf({ novel, squares }: Seen): number {
  return (squares + FIRST_BATCH) / (novel + 1)
}

/** What a group saw beyond a narrower one; all of it where they cut across each other, and it saw less of anything. */
function without(all: Seen, some: Seen): Seen {
  const [novel, squares] = [all.novel - some.novel, all.squares - some.squares]
  const days = all.days - some.days
  return novel < 0 || squares < 0 || days < 0 ? all : { novel, squares, days }
}
