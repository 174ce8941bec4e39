import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type GainedFetch, GainsSoFar } from './gains-so-far.ts'

function gainsOf(fetches: readonly GainedFetch[]): GainsSoFar {
  const gains = new GainsSoFar()
  for (const fetch of fetches) gains.learn(fetch)
  return gains
}

const times = (count: number, fetch: GainedFetch) => Array<GainedFetch>(count).fill(fetch)
const aFetch = fc.record({
  expected: fc.nat(9),
  gain: fc.nat(9),
  newUrls: fc.nat(9),
})

test('expectations that are five times too high are believed to a fifth', () => {
  const { mean, error } = gainsOf(times(5_000, { expected: 0.5, gain: 0.1, newUrls: 0 })).truth()!
  expect(mean).toBeCloseTo(0.2, 9)
  expect(error).toBeLessThan(0.01)
})

test('what was true long ago fades', () => {
  const early = times(1_000, { expected: 1, gain: 1, newUrls: 3 })
  const gains = gainsOf([...early, ...times(2_000, { expected: 1, gain: 0.1, newUrls: 0 })])
  expect(gains.truth()!.mean).toBeLessThan(0.12)
  expect(gains.pace().mean).toBeLessThan(0.12)
  expect(gains.newUrls()).toBeLessThan(0.001)
})

test('where few fetches ever gained, a long time without a gain leaves one more to be expected', () => {
  const rare = [
    ...times(199, { expected: 0.02, gain: 0, newUrls: 0 }),
    { expected: 0.02, gain: 4, newUrls: 0 },
  ]
  const long = times(600, { expected: 0.02, gain: 0, newUrls: 0 })
  const { mean, error } = gainsOf([...rare, ...rare, ...long]).truth()!
  expect(mean).toBeGreaterThan(0.25)
  expect(error).toBeGreaterThan(0.25)
  const many = gainsOf([...times(400, { expected: 0.02, gain: 0.02, newUrls: 0 }), ...long])
  expect(many.truth()!.mean).toBeLessThan(0.1)
})

test('a crawl that is folded in pieces has gained the same', () => {
  fc.assert(
    fc.property(fc.array(aFetch, { minLength: 1, maxLength: 50 }), (fetches) => {
      const gains = gainsOf(fetches)
      expect(gains.fetches).toBe(fetches.length)
      expect(gains.gain).toBeCloseTo(
        fetches.reduce((sum, { gain }) => sum + gain, 0),
        9,
      )
      for (const { mean, error } of [gains.pace(), gains.truth() ?? { mean: 0, error: 0 }]) {
        expect(mean).toBeGreaterThanOrEqual(0)
        expect(error).toBeGreaterThanOrEqual(0)
      }
    }),
  )
})
