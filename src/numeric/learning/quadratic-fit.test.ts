import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fitQuadratic, type Quadratic, risingQuadraticAt } from './quadratic-fit.ts'

function quadraticAt({ centre, width, intercept, slope, bend }: Quadratic, x: number): number {
  const t = (x - centre) / width
  return intercept + t * (slope + bend * t)
}

const points = fc.array(
  fc.record({
    x: fc.integer({ min: -10, max: 10 }),
    y: fc.integer({ min: -10, max: 10 }),
  }),
  { minLength: 1, maxLength: 20 },
)

test('no parabola nearby is closer to the points', () => {
  const nudge = fc.constantFrom(-0.01, 0, 0.01)
  fc.assert(
    fc.property(points, fc.tuple(nudge, nudge, nudge), (all, [a, b, c]) => {
      const fit = fitQuadratic(
        all.map(({ x }) => x),
        all.map(({ y }) => y),
      )
      const error = (other: typeof fit) =>
        all.reduce((sum, { x, y }) => sum + (quadraticAt(other, x) - y) ** 2, 0)
      const { intercept, slope, bend } = fit
      const nudged = { ...fit, intercept: intercept + a, slope: slope + b, bend: bend + c }
      expect(error(fit)).toBeLessThanOrEqual(error(nudged) + 1e-9)
    }),
  )
})

test('a parabola is found again, far from 0 and at any width', () => {
  const truth = (x: number) => 3 + 2e3 * (x - 5000) - 4e5 * (x - 5000) ** 2
  const xs = [5000, 5000.01, 5000.02, 5000.05]
  const fit = fitQuadratic(xs, xs.map(truth))
  for (const x of [4999.99, 5000.03, 5000.1])
    expect(quadraticAt(fit, x) / truth(x)).toBeCloseTo(1, 4)
  const small = [1e-13, 2e-13, 4e-13, 7e-13]
  const smallTruth = (x: number) => 3 + 2e13 * x - 4e26 * x ** 2
  expect(quadraticAt(fitQuadratic(small, small.map(smallTruth)), 5e-13)).toBeCloseTo(-87, 6)
})

test('two points make a line, one a constant, none 0', () => {
  const line = fitQuadratic([1, 3], [10, 20])
  expect([0, 2, 4].map((x) => quadraticAt(line, x))).toEqual([
    expect.closeTo(5, 9),
    expect.closeTo(15, 9),
    expect.closeTo(25, 9),
  ])
  expect(quadraticAt(fitQuadratic([2, 2], [1, 3]), 7)).toBeCloseTo(2, 9)
  expect(quadraticAt(fitQuadratic([], []), 7)).toBe(0)
})

test('a fit may be kept from falling, and from going below 0', () => {
  const hill = fitQuadratic([0, 1, 2, 3, 4], [1, 4, 5, 4, 1])
  expect(risingQuadraticAt(hill, 4)).toBeCloseTo(5, 9)
  expect(risingQuadraticAt(hill, 0)).toBeCloseTo(1, 9)
  expect(risingQuadraticAt(hill, -4)).toBe(0)
  const valley = fitQuadratic([0, 1, 2], [4, 1, 4])
  expect(risingQuadraticAt(valley, 0)).toBeCloseTo(1, 9)
  const slide = fitQuadratic([0, 2], [4, 2])
  expect(risingQuadraticAt(slide, 100)).toBeCloseTo(3, 9)
})
