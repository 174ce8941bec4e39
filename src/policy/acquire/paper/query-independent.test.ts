import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fitImportance, impactAt, impactsByImportance } from './query-independent.ts'

const points = fc.array(
  fc.tuple(fc.double({ min: 0, max: 50, noNaN: true }), fc.double({ min: 0, max: 9, noNaN: true })),
  { maxLength: 12 },
)
const fitTo = (pages: readonly (readonly [number, number])[]) =>
  fitImportance(
    pages.map(([importance]) => importance),
    pages.map(([, impact]) => impact),
  )

test('more important pages are never expected to have less impact, and none below 0', () => {
  fc.assert(
    fc.property(points, (pages) => {
      const fit = fitTo(pages)
      let before = 0
      for (let importance = 0; importance < 80; importance += 0.7) {
        const impact = impactAt(fit, importance)
        expect(impact).toBeGreaterThanOrEqual(before - 1e-9)
        before = impact
      }
    }),
  )
})

test('a parabola that turns down at high importance stays at its height', () => {
  const fit = fitTo([[0, 0], [1, 3], [2, 4], [3, 3], [4, 0]]) // biome-ignore format: points
  expect([1, 2, 3, 40].map((importance) => impactAt(fit, importance))).toEqual([
    expect.closeTo(3, 9),
    expect.closeTo(4, 9),
    expect.closeTo(4, 9),
    expect.closeTo(4, 9),
  ])
  const [less, more] = impactsByImportance(fit, [3, 40])
  expect(more).toBeGreaterThan(less)
  expect(more).toBeCloseTo(4, 4)
})

test('a fit that would go below 0 is 0 there', () => {
  const fit = fitTo([[0, 0], [1, 0], [2, 0], [3, 9]]) // biome-ignore format: points
  expect(impactAt(fit, 0.9)).toBe(0)
})

test('before anything was fetched importance alone decides', () => {
  const [less, more] = impactsByImportance(fitImportance([], []), [1, 2])
  expect(more).toBeGreaterThan(less)
  expect(less).toBeGreaterThan(0)
})

test('where all are expected to have the same impact, the more important has a millionth of it more', () => {
  const importance = [0.4, 0.2, 0]
  const flat = impactsByImportance(fitTo([[1, 0.2], [1, 0.2]]), importance) // biome-ignore format: points
  for (const [i, share] of [1, 0.5, 0].entries())
    expect(flat[i]).toBeCloseTo(0.2 + 2e-7 * share, 12)
  const nothing = impactsByImportance(fitTo([]), importance)
  for (const [i, share] of [1, 0.5, 0].entries()) expect(nothing[i]).toBeCloseTo(1e-6 * share, 12)
  expect([...impactsByImportance(fitTo([]), [0, 0])]).toEqual([0, 0])
})
