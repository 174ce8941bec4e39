import { GrowingColumn } from '#numeric/grow.ts'

/**
 * What a wider group says weighs as much as so many new pages, however many days these take. In days it
 * would not do: where new pages are rare, a few weeks without any would count as proof that none come.
 */
const TRUST = 0.5

/**
 * How many new pages a day a page leads to, judged before it has ever been revisited by what first
 * revisits of its likes came to. Only first revisits count: later ones are mostly of good hubs, and
 * would promise as much of every page. Groups are small integers.
 */
export class RatePrior {
  readonly #all: { novel: number; days: number }
  /** By group, two numbers: new pages, and the days they took. */
  readonly #groups = new GrowingColumn(Float64Array)
  readonly #promises: ReadonlyMap<number, number>

  /** What to expect before anything is known: of any page, and, where more is, by its widest group. */
  constructor(novelPerDay: number, promises: ReadonlyMap<number, number> = new Map()) {
    this.#all = { novel: TRUST, days: TRUST / novelPerDay }
    this.#promises = promises
  }

  /** Takes in the first revisit of a page of these groups. */
  record(groups: Uint32Array, novel: number, days: number): void {
    this.#all.novel += novel
    this.#all.days += days
    for (const group of groups) while (this.#groups.length < 2 * group + 2) this.#groups.push(0)
    const sums = this.#groups.view()
    for (const group of groups) {
      sums[2 * group] += novel
      sums[2 * group + 1] += days
    }
  }

  /** New pages a day expected of a page of these groups, the widest first; each corrects the one before. */
  perDay(groups: Uint32Array): number {
    const promised = this.#promises.get(groups[0])
    return promised === undefined ? this.#ofMany(groups) : this.#ofFew(groups, promised)
  }

  #ofMany(groups: Uint32Array): number {
    let rate = this.#all.novel / this.#all.days
    for (const group of groups) rate = corrected(rate, this.#seenIn(group))
    return rate
  }

  /**
   * Where more is promised, groups are small, and all may have seen the same few visits. What a narrower group
   * has seen is left out of the one before it: two visits to menus that showed nothing would else count once
   * for each group, and no menu be looked at again for months.
   */
  #ofFew(groups: Uint32Array, promised: number): number {
    const seen = [this.#all, ...Array.from(groups, (group) => this.#seenIn(group)), NOTHING_SEEN]
    const ofOthers = without(seen[0], seen[1])
    let rate = Math.max(promised, ofOthers.novel / ofOthers.days)
    for (let i = 1; i < seen.length - 1; i++) rate = corrected(rate, without(seen[i], seen[i + 1]))
    return rate
  }

  #seenIn(group: number): Seen {
    const sums = this.#groups.view()
    if (sums.length < 2 * group + 2) return NOTHING_SEEN
    return { novel: sums[2 * group], days: sums[2 * group + 1] }
  }
}

/** New pages that first revisits led to, and the days these looked back on. */
interface Seen {
  readonly novel: number
  readonly days: number
}

const NOTHING_SEEN: Seen = { novel: 0, days: 0 }

function corrected(rate: number, { novel, days }: Seen): number {
  return days > 0 ? (novel + TRUST) / (days + TRUST / rate) : rate
}

/** Groups cut across each other, so that one may have seen more than the one before it. */
function without(all: Seen, some: Seen): Seen {
  return { novel: Math.max(0, all.novel - some.novel), days: Math.max(0, all.days - some.days) }
}
