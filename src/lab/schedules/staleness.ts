import { freshestRates } from '#policy/refresh/even-spacing.ts'
import { type FetchTimes, fetchTimes, wholeFetches } from './fetch-times.ts'
import { changesPerWeek, type PeriodBudget, type PeriodFacts } from './period-facts.ts'

/**
 * Keeps the most pages fresh. A copy counts as stale once more than a share τ of its shingles differs, so at
 * τ = 1 nothing ever does.
 *
 * @paper PandeyOlston2005 §6.1.1 — their rival SBR; at most one fetch a week.
 */
export function stalenessTimes(
  facts: PeriodFacts,
  { weeks, fetchesPerWeek, seed }: PeriodBudget,
  tau: number,
): FetchTimes {
  const rates = Float64Array.from(facts.pages, (_, i) =>
    changesPerWeek(
      countChanges(facts, i, (share) => share > tau),
      facts.observedWeeks,
    ),
  )
  const even = new Float64Array(rates.length).fill(1)
  const fetchRates = freshestRates(rates, even, fetchesPerWeek, 1)
  const asked = fetchRates.reduce((sum, rate) => sum + rate, 0) * weeks
  const total = Math.min(fetchesPerWeek * weeks, Math.round(asked))
  return fetchTimes(wholeFetches(fetchRates, total), weeks, fetchesPerWeek, seed)
}

/** How many changes of a page count. */
export function countChanges(
  { changeOffsets, changeShares }: PeriodFacts,
  i: number,
  counts: (share: number) => boolean,
): number {
  let count = 0
  for (let change = changeOffsets[i]; change < changeOffsets[i + 1]; change++)
    if (counts(changeShares[change])) count++
  return count
}
