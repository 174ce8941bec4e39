import fc from 'fast-check'
import { expect, test } from 'vitest'
import { seededRandom } from '#numeric/random.ts'
import { CHANGE_RATES, ChangeHistory, FLAT_PRIOR, PriorLearner } from './change-history.ts'

const visit = fc.record({
  days: fc.double({ min: 0.01, max: 60, noNaN: true }),
  changed: fc.boolean(),
})

const RATES = CHANGE_RATES.length
const anyPrior = fc
  .array(fc.double({ min: 0.01, max: 1, noNaN: true }), { minLength: RATES, maxLength: RATES })
  .map((weights) => weights.map((weight) => weight / weights.reduce((a, b) => a + b, 0)))
const visits = fc.array(visit, { maxLength: 8 })

test('the posterior is prior times likelihood, however uneven the visits and whatever the prior', () => {
  fc.assert(
    fc.property(visits, visits, anyPrior, fc.nat(3), (others, own, prior, start) => {
      const history = new ChangeHistory()
      for (const { days, changed } of others) history.observe(3, days, changed)
      for (const { days, changed } of own) history.observe(7, days, changed)
      const priors = Float64Array.of(...new Array(start).fill(5), ...prior)
      const chances = new Float64Array(RATES + 1).fill(9)
      history.posterior(7, priors, chances, start)
      const naive = prior.map((chance, rate) =>
        own.reduce((product, { days, changed }) => {
          const unchanged = Math.exp(-CHANGE_RATES[rate] * days)
          return product * (changed ? 1 - unchanged : unchanged)
        }, chance),
      )
      const sum = naive.reduce((a, b) => a + b, 0)
      fc.pre(sum > 1e-200)
      naive.forEach((likelihood, rate) => {
        expect(chances[rate]).toBeCloseTo(likelihood / sum, 4)
      })
      expect(chances[RATES]).toBe(9)
    }),
  )
})

test('long histories do not underflow', () => {
  const history = new ChangeHistory()
  for (let i = 0; i < 5_000; i++) history.observe(1, 7, i % 2 === 0)
  const chances = new Float64Array(CHANGE_RATES.length)
  history.posterior(1, FLAT_PRIOR, chances)
  expect(chances.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 9)
  const best = CHANGE_RATES[chances.indexOf(Math.max(...chances))]
  expect(best).toBeCloseTo(1 / 8, 9) // half of all weeks: ln 2 / 7 = 1/10 a day
})

test('fetches at the same moment tell nothing', () => {
  const history = new ChangeHistory()
  history.observe(1, 0, true)
  expect(history.intervalOf(1)).toBe(new ChangeHistory().intervalOf(1))
})

test('a group of pages teaches what to expect of the next', () => {
  const random = seededRandom(3)
  const history = new ChangeHistory()
  const urls = Array.from({ length: 400 }, (_, url) => url)
  for (const url of urls)
    for (let week = 0; week < 6; week++)
      history.observe(url, 7, random.chance(1 - Math.exp(-7 * (url % 4 === 0 ? 1 : 1 / 512))))
  const prior = new PriorLearner(history).learn(urls)
  const fast = prior.reduce((sum, chance, i) => sum + (CHANGE_RATES[i] > 1 / 16 ? chance : 0), 0)
  expect(prior.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 9)
  expect(fast).toBeGreaterThan(0.2)
  expect(fast).toBeLessThan(0.3)
})

test('without histories the prior stays as it was', () => {
  expect([...new PriorLearner(new ChangeHistory()).learn([1, 2])]).toEqual([...FLAT_PRIOR])
})

test("Nutch's interval is a fifth shorter after a change, a fifth longer without, a year at most", () => {
  const history = new ChangeHistory()
  expect(history.intervalOf(3)).toBe(30)
  history.observe(3, 7, true)
  expect(history.intervalOf(3)).toBeCloseTo(24, 4)
  history.observe(3, 7, false)
  expect(history.intervalOf(3)).toBeCloseTo(28.8, 4)
  for (let visit = 0; visit < 40; visit++) history.observe(3, 7, false)
  expect(history.intervalOf(3)).toBe(365)
  history.observe(3, 7, true)
  expect(history.intervalOf(3)).toBeCloseTo(292, 4)
  for (let visit = 0; visit < 200; visit++) history.observe(3, 7, true)
  expect(history.intervalOf(3) * 86_400).toBeCloseTo(60, 2)
})
