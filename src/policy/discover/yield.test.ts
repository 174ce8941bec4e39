import { expect, test } from 'vitest'
import { HORIZON_DAYS } from '../budget/one-currency.ts'
import { linksOfFirstFetches, linksOfRevisits } from './yield.ts'

const held = {
  pages: Uint32Array.of(4, 7),
  links: Float64Array.of(1, 0.5),
  days: Float32Array.of(10, 20),
}

test('links have waited half as long as nobody looked; an alarm tells of more of them', () => {
  const burstFactors = Float64Array.of(1, 3)
  const yields = { held, burstFactors, firstLinks: new Float64Array(0), shownOnce: 1 }
  const { links, days, isFirst } = linksOfRevisits({ yields })
  expect(Array.from(links)).toEqual([1, 1.5])
  expect(Array.from(days)).toEqual([5, 10])
  expect(Array.from(isFirst)).toEqual([0, 0])
})

const none = { held, burstFactors: new Float64Array(2) }

test('links of first fetches count as far as no other page shows them', () => {
  const daysOf = (shownOnce: number) =>
    linksOfFirstFetches({ yields: { ...none, firstLinks: Float64Array.of(2), shownOnce } }).days[0]
  expect([1, 0.25, 0].map(daysOf)).toEqual([HORIZON_DAYS, HORIZON_DAYS / 4, 0])
})
