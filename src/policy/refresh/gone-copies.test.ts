import { expect, test } from 'vitest'
import { goneOutlook } from './gone-copies.ts'

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
