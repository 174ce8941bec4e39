import { expect, test } from 'vitest'
import { NOBODY } from '#frontier/urls/url-states.ts'
import { planRevisits } from './revisit-plan.ts'

/** Pages 10, 20, 30, 40: what only they are expected to lead to, what a rival shows too, and that rival. */
const expectations = {
  pages: Uint32Array.of(10, 20, 30, 40),
  own: Float64Array.of(1, 2, 0, 0),
  shared: Float64Array.of(4, 4, 0, 3),
  rivals: Int32Array.of(20, 10, NOBODY, NOBODY),
  ownDays: new Float32Array(4),
  sharedDays: new Float32Array(4),
  isUntried: new Uint8Array(4),
  isInMenus: new Uint8Array(4),
}

test('what a rival shows counts once: whoever comes after it brings its own only', () => {
  const { pages, expected } = planRevisits(expectations, 4)
  expect([...pages]).toEqual([20, 40, 10, 30])
  expect([...expected]).toEqual([6, 3, 1, 0])
})

test('no more pages are planned than asked for, and none twice', () => {
  expect([...planRevisits(expectations, 2).pages]).toEqual([20, 40])
  expect([...planRevisits(expectations, 0).pages]).toEqual([])
  expect(planRevisits(expectations, 9).pages).toHaveLength(4)
})
