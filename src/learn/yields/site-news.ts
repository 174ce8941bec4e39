import { GrowingColumn } from '#numeric/grow.ts'

/** Before anything is known, sites show so many batches in so many days, of so many links each. */
const FIRST_BATCHES = 0.5
const FIRST_DAYS = 14
const FIRST_LINKS = 2
/** What all sites show counts as much as so many batches of a site, and so many sizes of batches. */
const TRUST = 0.5
const TRUST_IN_SIZE = 4
/** A batch counts for so many times the usual size at most: a move of a site is no promise of another. */
const MOST_TIMES_USUAL = 10
/** After so many days what was seen counts half: a site that fell silent is still looked at, and believed to wake up. */
export const HALF_LIFE_DAYS = 280

/** However silent all sites were, one batch in so long is expected of a site that nobody knows. */
const LEAST_BATCHES_PER_DAY = 1 / HALF_LIFE_DAYS

const [BATCHES, SEEN, LINKS, DAYS, UNTIL, FIELDS] = [0, 1, 2, 3, 4, 5]

/**
 * What is new on each site: a batch is the links that one revisit was the first to show. Sizes have heavy tails, so
 * batches are counted and their size is told apart. Of a site that is little known, what all sites show is expected.
 */
export class SiteNews {
  /** By site: all batches ever; then batches, their links and days, which fade; and the day of the last of these. */
  readonly #sums = new GrowingColumn(Float64Array)
  readonly #isBegun = new GrowingColumn(Uint8Array)
  readonly #all = { batches: FIRST_BATCHES, links: FIRST_BATCHES * FIRST_LINKS, days: FIRST_DAYS }

  /** A page of the site was fetched for the first time. */
  begin(site: number, time: number): void {
    if (this.#isBegun.get(site) === 1) return
    this.#isBegun.put(site, 1)
    this.#sums.lengthen(FIELDS * (site + 1))
    this.#sums.set(FIELDS * site + UNTIL, time)
  }

  /** A revisit was the first to show so many links. */
  record(site: number, time: number, novel: number): void {
    const usual = this.batchSize(site)
    const sums = this.#sums.view()
    const at = FIELDS * site
    const days = Math.max(0, time - sums[at + UNTIL])
    const kept = 0.5 ** (days / HALF_LIFE_DAYS)
    const isBatch = novel > 0 ? 1 : 0
    const links = Math.min(novel, MOST_TIMES_USUAL * usual)
    this.#all.batches += isBatch
    this.#all.links += links
    this.#all.days += days
    sums[at + BATCHES] += isBatch
    sums[at + SEEN] = sums[at + SEEN] * kept + isBatch
    sums[at + LINKS] = sums[at + LINKS] * kept + links
    sums[at + DAYS] = sums[at + DAYS] * kept + days
    sums[at + UNTIL] = Math.max(sums[at + UNTIL], time)
  }

  /** All batches of the site so far. */
  batches(site: number): number {
    return this.#sums.at(FIELDS * site + BATCHES)
  }

  batchesPerDay(site: number): number {
    const sums = this.#sums.view()
    const at = FIELDS * site
    const usual = Math.max(this.#all.batches / this.#all.days, LEAST_BATCHES_PER_DAY)
    return (TRUST + sums[at + SEEN]) / (TRUST / usual + sums[at + DAYS])
  }

  /** Links of one batch. */
  batchSize(site: number): number {
    const sums = this.#sums.view()
    const at = FIELDS * site
    const usual = this.#all.links / this.#all.batches
    return (TRUST_IN_SIZE * usual + sums[at + LINKS]) / (TRUST_IN_SIZE + sums[at + SEEN])
  }
}
