import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { GainCurve } from './gain-curve.test-kit.ts'
import { powerVisibility, topVisibility, type Visibility } from './visibility.ts'

/** Quality of a result list by its definition: ranked by stored scores, credited by true ones. */
function qualityByDefinition(
  others: readonly number[],
  page: { stored: number; true: number },
  visibility: Visibility,
): number {
  const results = others.map((score) => ({ stored: score, true: score, isPage: false }))
  if (page.stored > 0) results.push({ ...page, isPage: true })
  results.sort((a, b) => b.stored - a.stored || Number(a.isPage) - Number(b.isPage))
  return results.reduce((sum, result, i) => sum + visibility(i + 1) * result.true, 0)
}

const score = fc.oneof(
  fc.constant(0),
  fc.double({ min: 0.01, max: 20, noNaN: true }),
  fc.integer({ min: 1, max: 6 }),
)
const others = fc
  .array(fc.oneof(fc.double({ min: 0.01, max: 20, noNaN: true }), fc.integer({ min: 1, max: 6 })), {
    maxLength: 40,
  })
  .map((scores) => scores.sort((a, b) => b - a))

describe.each([
  ['attention that falls with the rank', powerVisibility],
  ['the first ten only', topVisibility(10)],
  ['the first two only', topVisibility(2)],
] as const)('with %s', (_, visibility) => {
  test('the gain is the change in quality: entering, changing, leaving', () => {
    fc.assert(
      fc.property(others, score, score, (scores, stored, truth) => {
        const curve = GainCurve.from(scores, visibility)
        const before = qualityByDefinition(scores, { stored, true: truth }, visibility)
        const after = qualityByDefinition(scores, { stored: truth, true: truth }, visibility)
        expect(curve.gain(stored, truth)).toBeCloseTo(after - before, 9)
      }),
      { numRuns: 500 },
    )
  })

  test('a page that is one of the results competes with the others only', () => {
    fc.assert(
      fc.property(others, fc.nat(), score, (scores, place, truth) => {
        if (scores.length === 0) return
        const own = place % scores.length
        const rest = scores.toSpliced(own, 1)
        const stored = scores[own]
        const before = qualityByDefinition(rest, { stored, true: truth }, visibility)
        const after = qualityByDefinition(rest, { stored: truth, true: truth }, visibility)
        const curve = GainCurve.from(scores, visibility)
        expect(curve.gainOfResult(stored, truth)).toBeCloseTo(after - before, 9)
        expect(curve.gainOfResult(stored, truth)).toBeGreaterThanOrEqual(0)
        expect(curve.gainOfResult(stored, stored)).toBe(0)
      }),
      { numRuns: 500 },
    )
  })

  test('a gain is never negative, and a stored score that is right gains nothing', () => {
    fc.assert(
      fc.property(others, score, score, (scores, stored, truth) => {
        const curve = GainCurve.from(scores, visibility)
        expect(curve.gain(stored, truth)).toBeGreaterThanOrEqual(-1e-12)
        expect(curve.gain(truth, truth)).toBe(0)
      }),
    )
  })
})

test.each([
  [9, 4, 0.711863],
  [4, 9, 0.430904],
  [0, 9, 1.449232],
  [9, 0, 1.732749],
  [9, 9.5, 0],
  [4, 2, 0.035557],
])(
  'beside results of 10, 8, 5 and 3, a page stored with %s that deserves %s gains %s',
  (stored, truth, gain) => {
    expect(GainCurve.from([10, 8, 5, 3], powerVisibility).gain(stored, truth)).toBeCloseTo(gain, 6)
  },
)

test('a query without results is worth what the page scores', () => {
  const curve = GainCurve.from([], powerVisibility)
  expect(curve.gain(0, 7)).toBe(7)
  expect(curve.visibility(7)).toBe(1)
})
