import fc from 'fast-check'
import { expect, test } from 'vitest'
import { HORIZON_DAYS } from '../budget/one-currency.ts'
import { linksWorth } from './links-worth.ts'

const found = fc.array(
  fc.record({
    finderClass: fc.integer({ min: -1, max: 3 }),
    value: fc.double({ min: 0, max: 2, noNaN: true }),
  }),
  { minLength: 1, maxLength: 60 },
)

test('links are worth the weighted mean of what their pages are worth beyond the price', () => {
  fc.assert(
    fc.property(found, fc.double({ min: 0, max: 500, noNaN: true }), (links, price) => {
      const worth = linksWorth(columnsOf(links), price)
      // The naive twin: each link by itself, halved for every quarter of all URLs that came after it.
      const weighed = links
        .map(({ finderClass, value }, url) => ({
          finderClass,
          weight: 0.5 ** ((4 * (links.length - url)) / links.length),
          worth: Math.max(0, value - price / HORIZON_DAYS),
        }))
        .filter(({ finderClass }) => finderClass >= 0)
      const mean = (some: typeof weighed, trust: number, prior: number) => {
        const weight = some.reduce((sum, one) => sum + one.weight, trust)
        const total = some.reduce((sum, one) => sum + one.weight * one.worth, trust * prior)
        return weight === 0 ? 0 : total / weight
      }
      const ofAll = mean(weighed, 0, 0)
      expect(worth.ofAll).toBeCloseTo(ofAll, 9)
      for (let number = 0; number < 6; number++) {
        const own = weighed.filter(({ finderClass }) => finderClass === number)
        expect(worth.of(number)).toBeCloseTo(mean(own, 10, ofAll), 9)
      }
    }),
  )
})

test('a link is worth less the dearer fetches are, and nothing when no page is worth one', () => {
  const columns = columnsOf([
    { finderClass: 0, value: 1 },
    { finderClass: 0, value: 0.2 },
  ])
  const worths = [0, 50, 100, 400].map((price) => linksWorth(columns, price).of(0))
  expect(worths).toEqual(worths.toSorted((a, b) => b - a))
  expect(worths[3]).toBe(0)
})

test('a class is believed as far as it has links to show', () => {
  const rich = Array.from({ length: 200 }, () => ({ finderClass: 0, value: 1 }))
  const poor = Array.from({ length: 200 }, () => ({ finderClass: 1, value: 0 }))
  const worth = linksWorth(columnsOf([...poor, ...rich, { finderClass: 2, value: 0 }]), 0)
  expect(worth.of(0)).toBeGreaterThan(0.9)
  expect(worth.of(1)).toBeLessThan(0.3)
  expect(worth.of(2)).toBeCloseTo(worth.ofAll, 0)
})

function columnsOf(links: readonly { finderClass: number; value: number }[]) {
  return {
    finderClasses: Int32Array.from(links, ({ finderClass }) => finderClass),
    values: Float64Array.from(links, ({ value }) => value),
  }
}
