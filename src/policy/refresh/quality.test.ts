import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CHANGE_RATES, ChangeHistory } from '#learn/change-history.ts'
import { likeliestRates } from './by-fetch-rate.ts'
import { expectedStaleness, goneOutlook } from './quality.ts'

test('the time a copy was stale is the mean over rates of t − (1 − e^(−λt))/λ', () => {
  const days = fc.double({ min: 1e-3, max: 2000, noNaN: true })
  const weights = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), {
    minLength: CHANGE_RATES.length,
    maxLength: CHANGE_RATES.length,
  })
  fc.assert(
    fc.property(days, weights, (t, chances) => {
      let naive = 0
      // By the integral of the chance to have changed by then: no cancellation.
      for (const [i, rate] of CHANGE_RATES.entries()) naive += chances[i] * staleTime(rate, t)
      const fast = expectedStaleness(Float64Array.from(chances), t).staleDays
      expect(Math.abs(fast - naive)).toBeLessThanOrEqual(1e-5 * naive + 1e-12)
    }),
  )
})

function staleTime(rate: number, t: number): number {
  const x = rate * t
  if (x > 0.5) return t + Math.expm1(-x) / rate
  let [term, sum] = [1, 0]
  for (let power = 1; power < 20; power++) {
    term *= -x / (power + 1)
    sum -= term
  }
  return t * sum
}

test('the likeliest rate is where the likelihood of uneven visits peaks', () => {
  const visit = fc.record({ days: fc.integer({ min: 1, max: 60 }), changed: fc.boolean() })
  fc.assert(
    fc.property(fc.array(visit, { maxLength: 15 }), (visits) => {
      const history = new ChangeHistory()
      for (const { days, changed } of visits) history.observe(0, days, changed)
      const [estimate] = likeliestRates(history, [0])
      const exact = peak([...visits, { days: 0.5, changed: true }, { days: 0.5, changed: false }])
      expect(Math.abs(Math.log2(estimate / exact))).toBeLessThan(0.15)
    }),
  )
})

/** Solves Σ over changed of d/(e^(λd) − 1) = Σ over unchanged of d, by halving. */
function peak(visits: readonly { days: number; changed: boolean }[]): number {
  const excess = (rate: number) =>
    visits.reduce(
      (sum, { days, changed }) => sum + (changed ? days / Math.expm1(rate * days) : -days),
      0,
    )
  let [low, high] = [1e-6, 100]
  for (let step = 0; step < 100; step++) {
    const middle = Math.sqrt(low * high)
    if (excess(middle) > 0) low = middle
    else high = middle
  }
  return low
}

test('a page that stayed the same for ages changes at the least of the rates', () => {
  const history = new ChangeHistory()
  for (let visit = 0; visit < 40; visit++) history.observe(0, 200_000, false)
  history.observe(1, 100_000, false)
  expect([...likeliestRates(history, [0, 1])]).toEqual([CHANGE_RATES[0], CHANGE_RATES[0]])
})

const factsOf = (goneADay: number, oddsFactor: number) => ({
  goneADay: Float64Array.of(goneADay),
  oddsFactors: Float64Array.of(oddsFactor),
  gainPerView: 1,
})

test('what vanishes in the usual course has been gone for half the age of a copy', () => {
  const { chance, days } = goneOutlook(factsOf(1e-4, 1), 0, 100)
  expect(chance).toBeCloseTo(0.00995, 5)
  expect(days).toBeCloseTo(chance * 50, 2)
})

test('short and long ages meet: the days lost have no step where they are reckoned otherwise', () => {
  const days = [9.99, 10.01].map((age) => goneOutlook(factsOf(1e-4, 1), 0, age).days)
  expect(days[1] / days[0]).toBeCloseTo((10.01 / 9.99) ** 2, 2)
})

test('the usual days are those of a copy that vanishes at random, by small steps', () => {
  const [aDay, age, steps] = [0.01, 200, 20_000]
  let sum = 0
  for (let step = 0; step < steps; step++)
    sum += (1 - Math.exp((-aDay * age * (step + 0.5)) / steps)) * (age / steps)
  expect(goneOutlook(factsOf(aDay, 1), 0, age).days).toBeCloseTo(sum, 3)
})

test('a sign counts as long as a new page does, and never beyond certainty', () => {
  const usual = goneOutlook(factsOf(1e-4, 1), 0, 30)
  const doubted = goneOutlook(factsOf(1e-4, 100), 0, 30)
  expect(doubted.chance).toBeGreaterThan(0.2)
  expect(doubted.days - usual.days).toBeCloseTo((doubted.chance - usual.chance) * 180, 6)
  expect(goneOutlook(factsOf(1e-4, 1e6), 0, 30).chance).toBeLessThanOrEqual(1)
})

test('where signs speak against it, days are lost as seldom as pages are expected to be gone', () => {
  const usual = goneOutlook(factsOf(0.005, 1), 0, 60)
  const trusted = goneOutlook(factsOf(0.005, 0.1), 0, 60)
  expect(trusted.chance).toBeLessThan(0.2 * usual.chance)
  expect(trusted.days / usual.days).toBeCloseTo(trusted.chance / usual.chance, 9)
})
