/** How many new pages a group's first revisits led to, and how many all else made us expect. */
interface Surprise {
  novel: number
  expected: number
}

/** A group must differ by more than so many new pages before it is believed to differ. */
const DOUBT = 3

/**
 * How many new pages a day a page leads to, judged before it has ever been revisited by what first
 * revisits of its likes came to. Only first revisits count: later ones are mostly of good hubs, and
 * would promise as much of every page.
 *
 * The rate is one for all pages times a factor for each group a page is in: by how much pages of this
 * group surprised us, given all their other groups.
 */
export class RatePrior {
  #novel: number
  #days: number
  readonly #groups = new Map<number, Surprise>()

  /** What to expect before anything is known. */
  constructor(novelPerDay: number) {
    this.#novel = DOUBT
    this.#days = DOUBT / novelPerDay
  }

  /** New pages a day expected of a page of these groups. */
  perDay(groups: Uint32Array): number {
    return (this.#novel / this.#days) * this.#factors(groups)
  }

  /** Takes in the first revisit of a page of these groups. */
  record(groups: Uint32Array, novel: number, days: number): void {
    const factors = this.#factors(groups)
    const expected = (this.#novel / this.#days) * factors * days
    for (const group of groups) {
      const surprise = this.#groups.get(group) ?? { novel: 0, expected: 0 }
      const own = factorOf(surprise)
      surprise.novel += novel
      surprise.expected += expected / own
      this.#groups.set(group, surprise)
    }
    this.#novel += novel
    this.#days += days * factors
  }

  #factors(groups: Uint32Array): number {
    let product = 1
    for (const group of groups) {
      const surprise = this.#groups.get(group)
      if (surprise) product *= factorOf(surprise)
    }
    return product
  }
}

function factorOf({ novel, expected }: Surprise): number {
  return (novel + DOUBT) / (expected + DOUBT)
}
