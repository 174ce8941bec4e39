import fc from 'fast-check'
import { expect, test } from 'vitest'
import { poolViolators } from './isotonic.ts'

const points = fc.array(
  fc.record({
    x: fc.integer({ min: -5, max: 5 }),
    y: fc.integer({ min: -10, max: 10 }),
    weight: fc.integer({ min: 0, max: 3 }),
  }),
  { maxLength: 25 },
)
type Point = { x: number; y: number; weight: number }

/** The fit at each x by the min-max formula: the largest over all starts of the least mean from there. */
function naive(all: readonly Point[]): Map<number, number> {
  const seen = all.filter(({ weight }) => weight > 0)
  const xs = [...new Set(seen.map(({ x }) => x))].sort((a, b) => a - b)
  const mean = (from: number, to: number) => {
    const within = seen.filter(({ x }) => x >= from && x <= to)
    const total = within.reduce((sum, { weight }) => sum + weight, 0)
    return within.reduce((sum, { y, weight }) => sum + weight * y, 0) / total
  }
  return new Map(
    xs.map((x) => [
      x,
      Math.max(
        ...xs
          .filter((from) => from <= x)
          .map((from) => Math.min(...xs.filter((to) => to >= x).map((to) => mean(from, to)))),
      ),
    ]),
  )
}

const columns = (all: readonly Point[]) =>
  [all.map(({ x }) => x), all.map(({ y }) => y), all.map(({ weight }) => weight)] as const

test('pooling adjacent violators gives what the min-max formula gives', () => {
  fc.assert(
    fc.property(points, (all) => {
      const [xs, ys, weights] = columns(all)
      const blocks = poolViolators(xs, ys, weights)
      for (const [x, y] of naive(all)) {
        const own = blocks.find(({ firstX, lastX }) => firstX <= x && x <= lastX)!
        expect(own.y).toBeCloseTo(y, 9)
      }
    }),
  )
})

test('blocks rise strictly and keep all the weight', () => {
  fc.assert(
    fc.property(points, (all) => {
      const [xs, ys, weights] = columns(all)
      const blocks = poolViolators(xs, ys, weights)
      const total = (values: number[]) => values.reduce((sum, value) => sum + value, 0)
      expect(total(blocks.map(({ weight }) => weight))).toBe(total([...weights]))
      for (let i = 1; i < blocks.length; i++) {
        expect(blocks[i].y).toBeGreaterThan(blocks[i - 1].y)
        expect(blocks[i].firstX).toBeGreaterThan(blocks[i - 1].lastX)
      }
    }),
  )
})

test('without points there are no blocks', () => {
  expect(poolViolators([], [])).toEqual([])
})
