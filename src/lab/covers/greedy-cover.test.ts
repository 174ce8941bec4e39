import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Csr, csrFromEdges, rowOf } from '#numeric/csr.ts'
import { distinctCount, greedyCover, interleavedGains, partialCover } from './greedy-cover.ts'

const coversOf = (covers: readonly (readonly number[])[]): Csr => {
  const edges = covers.flatMap((targets, row) => targets.map((target) => [row, target]))
  return csrFromEdges(
    covers.length,
    Uint32Array.from(edges, ([row]) => row),
    Uint32Array.from(edges, ([, target]) => target),
  )
}
const reachOf = (covers: Csr, rows: Iterable<number>) =>
  new Set(Array.from(rows, (row) => [...rowOf(covers, row)]).flat()).size
const targets = fc.uniqueArray(fc.nat(9), { maxLength: 6 })
const anyCovers = fc.array(targets, { minLength: 1, maxLength: 8 }).map(coversOf)

test('Figure 1: one page covers all four new ones', () => {
  const cover = greedyCover(coversOf([[4, 5, 6, 7], [5]]))
  expect([...cover.rows]).toEqual([0])
  expect([...cover.gains]).toEqual([4])
})

test('a budget of k takes k rows, not one more', () => {
  const covers = coversOf([[0], [1], [2]])
  expect([...greedyCover(covers, { most: 2 }).rows]).toEqual([0, 1])
  expect([...greedyCover(covers, { most: 0 }).rows]).toEqual([])
})

test('a partial cover stops when its share is reached: nine of ten is nine tenths', () => {
  const covers = coversOf([[0, 1, 2, 3, 4, 5, 6, 7, 8], [9]])
  expect([...greedyCover(covers, { share: 0.9 }).rows]).toEqual([0])
  expect([...greedyCover(covers, { share: 0.91 }).rows]).toEqual([0, 1])
  // 0.28 × 25 is a little more than 7 in floating point.
  const seven = coversOf(
    [7, 6, 6, 6].map((size, row) => Array.from({ length: size }, (_, i) => 10 * row + i)),
  )
  expect([...greedyCover(seven, { share: 0.28 }).rows]).toEqual([0])
})

test('whatever adds nothing is not taken, whatever the budget', () => {
  expect([...greedyCover(coversOf([[0, 1], [1], [], [0]]), { most: 10 }).rows]).toEqual([0])
  expect([...greedyCover(coversOf([])).rows]).toEqual([])
})

test('lazy equals eager: always the first of the rows that add most', () => {
  fc.assert(
    fc.property(anyCovers, fc.integer({ min: 0, max: 9 }), (covers, most) => {
      const eager: number[] = []
      const rows = [...covers.offsets.keys()].slice(0, -1)
      for (;;) {
        const reach = (row: number) => reachOf(covers, [...eager, row])
        const best = rows.reduce((first, row) => (reach(row) > reach(first) ? row : first), 0)
        if (eager.length >= most || reach(best) === reachOf(covers, eager)) break
        eager.push(best)
      }
      const { rows: lazy, gains } = greedyCover(covers, { most })
      expect([...lazy]).toEqual(eager)
      expect(gains.reduce((sum, gain) => sum + gain, 0)).toBe(reachOf(covers, eager))
    }),
  )
})

test('a budgeted cover is within 1 − 1/e of the best there is', () => {
  fc.assert(
    fc.property(anyCovers, fc.integer({ min: 1, max: 4 }), (covers, most) => {
      const rows = [...covers.offsets.keys()].slice(0, -1)
      const choices = (from: number, left: number): number[][] =>
        left === 0 || from === rows.length
          ? [[]]
          : [
              ...choices(from + 1, left),
              ...choices(from + 1, left - 1).map((rest) => [from, ...rest]),
            ]
      const best = Math.max(...choices(0, most).map((choice) => reachOf(covers, choice)))
      const greedy = reachOf(covers, greedyCover(covers, { most }).rows)
      expect(greedy).toBeGreaterThanOrEqual((1 - 1 / Math.E) * best)
    }),
  )
})

test('a partial cover is within a logarithm of the smallest there is', () => {
  const share = fc.constantFrom(0.5, 0.9, 1)
  fc.assert(
    fc.property(anyCovers, share, (covers, share) => {
      const wanted = share * distinctCount(covers) - 1e-9
      const rows = [...covers.offsets.keys()].slice(0, -1)
      const sets = Array.from({ length: 2 ** rows.length }, (_, bits) =>
        rows.filter((row) => bits & (1 << row)),
      )
      const good = sets.filter((set) => reachOf(covers, set) >= wanted)
      const least = Math.min(...good.map((set) => set.length))
      const { rows: greedy } = greedyCover(covers, { share })
      expect(reachOf(covers, greedy)).toBeGreaterThanOrEqual(wanted)
      expect(greedy.length).toBeLessThanOrEqual(Math.ceil(least * (1 + Math.log(10))))
    }),
    { numRuns: 40 },
  )
})

test('covers of disjoint sites interleaved are the greedy cover of all sites together', () => {
  fc.assert(
    fc.property(
      fc.array(targets, { maxLength: 5 }),
      fc.array(targets, { maxLength: 5 }),
      (a, b) => {
        const together = coversOf([...a, ...b.map((row) => row.map((target) => target + 10))])
        const apart = interleavedGains([greedyCover(coversOf(a)), greedyCover(coversOf(b))])
        expect([...apart]).toEqual([...greedyCover(together).gains])
      },
    ),
  )
})

test('how many of the first gains cover a share', () => {
  expect(partialCover([5, 3, 1, 1], 0.8, 10)).toEqual({ size: 2, covered: 8 })
  expect(partialCover([5, 3, 1, 1], 1, 10)).toEqual({ size: 4, covered: 10 })
  expect(partialCover([], 0.9, 0)).toEqual({ size: 0, covered: 0 })
})
