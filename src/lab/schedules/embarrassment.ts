import { evenFreshness } from '#policy/refresh/even-spacing.ts'
import { type FetchTimes, fetchTimes } from './fetch-times.ts'
import { changesPerWeek, type PeriodBudget, type PeriodFacts } from './period-facts.ts'
import { countChanges } from './staleness.ts'

/** A page as a searcher may be embarrassed by it; all times in the unit of the period. */
interface EmbarrassingPages {
  readonly changeRates: ArrayLike<number>
  /** How often a stale copy is clicked and found wanting. */
  readonly weights: ArrayLike<number>
}

/**
 * How many fetches each page gets in a period, `fetches` in all, so that the least weight is stale: each
 * fetch in turn goes where it helps most. As every further fetch of a page helps less, that is exactly
 * optimal. No page gets more than `most`.
 *
 * @paper WolfEtAl2002 §3 — Poisson changes, no least per page.
 */
export function leastEmbarrassment(
  { changeRates, weights }: EmbarrassingPages,
  fetches: number,
  period: number,
  most = Number.POSITIVE_INFINITY,
): Uint32Array {
  const pages = changeRates.length
  const counts = new Uint32Array(pages)
  const gainOf = (page: number): number =>
    weights[page] *
    (evenFreshness(changeRates[page] * period, counts[page] + 1) -
      evenFreshness(changeRates[page] * period, counts[page]))
  const heap = new GainHeap(pages, gainOf)
  for (let fetch = 0; fetch < fetches; fetch++) {
    const page = heap.best()
    if (page === undefined || heap.gainOf(page) <= 0) break
    counts[page]++
    heap.lower(page, counts[page] < most ? gainOf(page) : 0)
  }
  return counts
}

/**
 * Spares searchers the most embarrassment: a stale copy embarrasses whoever clicks it, as often as changes
 * of the page are of at least a share τ of its shingles.
 *
 * @paper PandeyOlston2005 §6.1.2 — their rival EBR; at most one fetch a week.
 */
export function embarrassmentTimes(
  facts: PeriodFacts,
  { weeks, fetchesPerWeek, seed }: PeriodBudget,
  tau: number,
): FetchTimes {
  const changeRates = new Float64Array(facts.pages.length)
  const weights = facts.clicks.map((clicks, i) => {
    const all = countChanges(facts, i, () => true)
    changeRates[i] = changesPerWeek(all, facts.observedWeeks)
    return all === 0 ? 0 : (clicks * countChanges(facts, i, (share) => share >= tau)) / all
  })
  const total = fetchesPerWeek * weeks
  const counts = leastEmbarrassment({ changeRates, weights }, total, weeks, weeks)
  return fetchTimes(counts, weeks, fetchesPerWeek, seed)
}

/** Pages by what their next fetch gains, the largest on top; of equals the lower page. */
class GainHeap {
  readonly #heap: Uint32Array
  readonly #gains: Float64Array

  constructor(pages: number, gainOf: (page: number) => number) {
    this.#heap = Uint32Array.from({ length: pages }, (_, page) => page)
    this.#gains = Float64Array.from(this.#heap, gainOf)
    for (let place = (pages >> 1) - 1; place >= 0; place--) this.#sink(place)
  }

  best(): number | undefined {
    return this.#heap.length > 0 ? this.#heap[0] : undefined
  }

  gainOf(page: number): number {
    return this.#gains[page]
  }

  /** The page on top now gains less. */
  lower(page: number, gain: number): void {
    this.#gains[page] = gain
    this.#sink(0)
  }

  #isBefore(a: number, b: number): boolean {
    const difference = this.#gains[a] - this.#gains[b]
    return difference > 0 || (difference === 0 && a < b)
  }

  #sink(start: number): void {
    const heap = this.#heap
    const page = heap[start]
    let place = start
    for (;;) {
      let child = 2 * place + 1
      if (child >= heap.length) break
      if (child + 1 < heap.length && this.#isBefore(heap[child + 1], heap[child])) child++
      if (!this.#isBefore(heap[child], page)) break
      heap[place] = heap[child]
      place = child
    }
    heap[place] = page
  }
}
