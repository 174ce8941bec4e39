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
    const sums = this.#groups.view()
    const ofAll = this.#all.novel / this.#all.days
    let rate = Math.max(ofAll, this.#promises.get(groups[0]) ?? 0)
    for (const group of groups)
      if (sums[2 * group + 1] > 0)
        rate = (sums[2 * group] + TRUST) / (sums[2 * group + 1] + TRUST / rate)
    return rate
  }
}
