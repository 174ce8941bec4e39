import fc from 'fast-check'
import { expect, test } from 'vitest'
import { poolViolators } from './isotonic.ts'

const points = fc
  .array(
    fc.record({
      y: fc.integer({ min: -10, max: 10 }),
      weight: fc.integer({ min: 1, max: 3 }),
    }),
    { maxLength: 25 },
  )
  .map((all) => all.map((point, x) => ({ x, ...point })))
type Point = { x: number; y: number; weight: number }

/** The fit at each x by the min-max formula: the largest over all starts of the least mean from there. */
function naive(all: readonly Point[]): number[] {
  const xs = all.map(({ x }) => x)
  const mean = (from: number, to: number) => {
    const within = all.slice(from, to + 1)
    const total = within.reduce((sum, { weight }) => sum + weight, 0)
    return within.reduce((sum, { y, weight }) => sum + weight * y, 0) / total
  }
  return xs.map((x) =>
    Math.max(
      ...xs
        .filter((from) => from <= x)
        .map((from) => Math.min(...xs.filter((to) => to >= x).map((to) => mean(from, to)))),
    ),
  )
}

test('pooling adjacent violators gives what the min-max formula gives', () => {
  fc.assert(
    fc.property(points, (all) => {
      const blocks = poolViolators(all)
      const fits = naive(all)
      // A block ends where the fit rises.
      const ends = fits.filter((y, x) => x === fits.length - 1 || fits[x + 1] > y + 1e-9)
      expect(blocks).toHaveLength(ends.length)
      for (const [i, { y }] of blocks.entries()) expect(y).toBeCloseTo(ends[i], 9)
    }),
  )
})

test('blocks rise strictly and keep all the weight', () => {
  fc.assert(
    fc.property(points, (all) => {
      const blocks = poolViolators(all)
      const total = (some: readonly Point[]) => some.reduce((sum, { weight }) => sum + weight, 0)
      expect(total(blocks)).toBe(total(all))
      for (let i = 1; i < blocks.length; i++) {
        expect(blocks[i].y).toBeGreaterThan(blocks[i - 1].y)
        expect(blocks[i].x).toBeGreaterThan(blocks[i - 1].x)
      }
    }),
  )
})
