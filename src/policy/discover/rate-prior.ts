/** What first revisits of some pages came to. */
interface Revisits {
  novel: number
  days: number
}

/**
 * What a wider group says weighs as much as so many new pages, however many days these take. In days it
 * would not do: where new pages are rare, a few weeks without any would count as proof that none come.
 */
const TRUST = 0.5

/**
 * How many new pages a day a page leads to, judged before it has ever been revisited by what first
 * revisits of its likes came to. Only first revisits count: later ones are mostly of good hubs, and
 * would promise as much of every page.
 */
export class RatePrior {
  readonly #all: Revisits
  readonly #groups = new Map<number, Revisits>()

  /** What to expect before anything is known. */
  constructor(novelPerDay: number) {
    this.#all = { novel: TRUST, days: TRUST / novelPerDay }
  }

  /** Takes in the first revisit of a page of these groups. */
  record(groups: Uint32Array, novel: number, days: number): void {
    this.#all.novel += novel
    this.#all.days += days
    for (const group of groups) {
      const sums = this.#groups.get(group) ?? { novel: 0, days: 0 }
      sums.novel += novel
      sums.days += days
      this.#groups.set(group, sums)
    }
  }

  /** New pages a day expected of a page of these groups, the widest first; each corrects the one before. */
  perDay(groups: Uint32Array): number {
    let rate = this.#all.novel / this.#all.days
    for (const group of groups) {
      const sums = this.#groups.get(group)
      if (sums) rate = (sums.novel + TRUST) / (sums.days + TRUST / rate)
    }
    return rate
  }
}
