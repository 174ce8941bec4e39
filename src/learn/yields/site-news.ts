import { GrowingColumn } from '#numeric/grow.ts'

/** Before anything is known, a site shows so many batches in so many days, of so many links each. */
const FIRST_BATCHES = 0.5
const FIRST_DAYS = 14
const FIRST_LINKS = 2
/** What is expected of the size of a batch counts as much as so many of them. */
const TRUST_IN_SIZE = 4
/** A batch counts for so many times the usual size at most: a move of a site is no promise of another. */
const MOST_TIMES_USUAL = 10
/** After so many days what was seen counts half: a site that fell silent is still looked at, and believed to wake up. */
export const HALF_LIFE_DAYS = 280

const [BATCHES, SEEN, LINKS, DAYS, UNTIL, FIELDS] = [0, 1, 2, 3, 4, 5]

/**
 * What is new on each site: a batch is the links that one revisit was the first to show. Sizes have heavy tails, so
 * batches are counted and their size is told apart.
 */
export class SiteNews {
  /** By site: all batches ever; then batches, their links and days, which fade; and the day of the last of these. */
  readonly #sums = new GrowingColumn(Float64Array)
  readonly #isBegun = new GrowingColumn(Uint8Array)

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
    sums[at + BATCHES] += isBatch
    sums[at + SEEN] = sums[at + SEEN] * kept + isBatch
    sums[at + LINKS] = sums[at + LINKS] * kept + Math.min(novel, MOST_TIMES_USUAL * usual)
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
    return (FIRST_BATCHES + sums[at + SEEN]) / (FIRST_DAYS + sums[at + DAYS])
  }

  /** Links of one batch. */
  batchSize(site: number): number {
    const sums = this.#sums.view()
    const at = FIELDS * site
    return (TRUST_IN_SIZE * FIRST_LINKS + sums[at + LINKS]) / (TRUST_IN_SIZE + sums[at + SEEN])
  }
}
