import { BoundHeap } from '#numeric/bound-heap.ts'
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
 * @paper WolfEtAl2002 — Poisson changes, no least per page.
 */
export function leastEmbarrassment(
  { changeRates, weights }: EmbarrassingPages,
  fetches: number,
  period: number,
  most = Number.POSITIVE_INFINITY,
): Uint32Array {
  const counts = new Uint32Array(changeRates.length)
  const gainOf = (page: number): number =>
    weights[page] *
    (evenFreshness(changeRates[page] * period, counts[page] + 1) -
      evenFreshness(changeRates[page] * period, counts[page]))
  const heap = new BoundHeap(Float64Array.from(counts, (_, page) => gainOf(page)))
  for (let fetch = 0; fetch < fetches && heap.bound > 0; fetch++) {
    const page = heap.top
    counts[page]++
    heap.lower(counts[page] < most ? gainOf(page) : 0)
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
