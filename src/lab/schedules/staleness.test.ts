import { expect, test } from 'vitest'
import { embarrassmentTimes, leastEmbarrassment } from './embarrassment.ts'
import { changesPerWeek, type PeriodFacts, scheduledBids } from './period-facts.ts'
import { stalenessTimes } from './staleness.ts'

/** Pages by the shares of shingles that their changes concern, over ten weeks. */
function factsOn(changes: readonly (readonly number[])[], clicks?: readonly number[]): PeriodFacts {
  return {
    pages: Uint32Array.from(changes.keys()),
    observedWeeks: 10,
    changeOffsets: Uint32Array.from([
      0,
      ...changes.map((_, i) => changes.slice(0, i + 1).flat().length),
    ]),
    changeShares: Float64Array.from(changes.flat()),
    clicks: Float64Array.from(clicks ?? changes.map(() => 1)),
  }
}

const budget = { weeks: 10, fetchesPerWeek: 1, seed: 3 }
const fetched = (times: ReturnType<typeof stalenessTimes>) => new Set(times.pages)

test('sbr counts changes of more than τ, ebr those of at least τ', () => {
  const facts = factsOn([[0.5, 0.5], [0.51, 0.51]]) // biome-ignore format: two pages
  expect(fetched(stalenessTimes(facts, budget, 0.5))).toEqual(new Set([1]))
  expect(fetched(embarrassmentTimes(facts, budget, 0.5))).toEqual(new Set([0, 1]))
})

test('at τ = 1 nothing is stale for sbr, and only a page that is all new embarrasses', () => {
  const facts = factsOn([[1, 1], [0.99]]) // biome-ignore format: two pages
  expect(stalenessTimes(facts, budget, 1).pages.length).toBe(0)
  expect(fetched(embarrassmentTimes(facts, budget, 1))).toEqual(new Set([0]))
})

test('at τ = 0 every change counts, and a page that never changed gets no fetch', () => {
  const facts = factsOn([[0.01], []])
  expect(fetched(stalenessTimes(facts, budget, 0))).toEqual(new Set([0]))
  expect(fetched(embarrassmentTimes(facts, budget, 0))).toEqual(new Set([0]))
})

test('ebr goes where people click, sbr does not ask', () => {
  const facts = factsOn([[0.5, 0.5, 0.5], [0.5, 0.5, 0.5]], [9, 0]) // biome-ignore format: two pages
  expect(fetched(embarrassmentTimes(facts, budget, 0.1))).toEqual(new Set([0]))
  expect(fetched(stalenessTimes(facts, budget, 0.1))).toEqual(new Set([0, 1]))
})

test('ebr weighs clicks by the share of changes that are of at least τ', () => {
  // The first page changes once, by much; of the second's four changes two are of that kind.
  const facts = factsOn([[0.9], [0.9, 0.1, 0.9, 0.1]], [1, 3]) // biome-ignore format: two pages
  const changeRates = [changesPerWeek(1, 10), changesPerWeek(4, 10)]
  const expected = leastEmbarrassment({ changeRates, weights: [1, 1.5] }, 10, 10, 10)
  const { pages } = embarrassmentTimes(facts, budget, 0.5)
  expect([0, 1].map((page) => pages.filter((one) => one === page).length)).toEqual([...expected])
  const unweighted = leastEmbarrassment({ changeRates, weights: [1, 6] }, 10, 10, 10)
  expect([...unweighted]).not.toEqual([...expected])
})

test('no page is fetched more than once a week, and no week has more fetches than there are', () => {
  const facts = factsOn(Array.from({ length: 6 }, (_, page) => new Array(page + 1).fill(0.5)))
  for (const timesOf of [stalenessTimes, embarrassmentTimes])
    for (const fetchesPerWeek of [1, 3, 8]) {
      const times = timesOf(facts, { ...budget, fetchesPerWeek }, 0.1)
      const counts = new Uint32Array(6)
      for (const page of times.pages) counts[page]++
      expect(Math.max(...counts)).toBeLessThanOrEqual(10)
      for (let week = 0; week < 10; week++)
        expect(scheduledBids(times, week).urls.length).toBeLessThanOrEqual(fetchesPerWeek)
    }
})

test('a page seen to change every week has a finite rate', () => {
  expect(changesPerWeek(0, 10)).toBe(0)
  expect(changesPerWeek(10, 10)).toBeCloseTo(Math.log(21), 9)
})
