import fc from 'fast-check'
import { expect, test } from 'vitest'
import { csrFromEdges } from '#numeric/csr.ts'
import { overlapClusters, overlapHistogram, rowClasses } from './redundancy.ts'

const coversOf = (covers: readonly (readonly number[])[]) => {
  const edges = covers.flatMap((targets, row) => targets.map((target) => [row, target]))
  return csrFromEdges(
    covers.length,
    Uint32Array.from(edges, ([row]) => row),
    Uint32Array.from(edges, ([, target]) => target),
  )
}
const naiveJaccard = (a: readonly number[], b: readonly number[]) => {
  const shared = a.filter((target) => b.includes(target)).length
  return shared / (a.length + b.length - shared)
}
const rows = fc.array(
  fc.uniqueArray(fc.nat(6), { minLength: 1, maxLength: 5 }).map((row) => row.sort()),
  { maxLength: 9 },
)

test('Figure 1: the two pages overlap in one of four', () => {
  expect([...overlapHistogram(coversOf([[4, 5, 6, 7], [5]]), 4)]).toEqual([0, 1, 0, 0])
})

test('pages that lead nowhere new overlap with nobody, and are skipped', () => {
  expect([...overlapHistogram(coversOf([[], [], [1], [2]]), 2)]).toEqual([1, 0])
})

test('rows with the same targets make one class', () => {
  const { classOf, sizes } = rowClasses(coversOf([[1, 2], [3], [2, 1]]))
  expect([...classOf]).toEqual([0, 1, 0])
  expect([...sizes]).toEqual([2, 1])
})

test('the histogram counts every pair in its bin', () => {
  fc.assert(
    fc.property(rows, fc.integer({ min: 1, max: 12 }), (covers, bins) => {
      const naive = new Array<number>(bins).fill(0)
      for (const [i, a] of covers.entries())
        for (const b of covers.slice(i + 1))
          naive[Math.min(bins - 1, Math.floor(naiveJaccard(a, b) * bins))]++
      expect([...overlapHistogram(coversOf(covers), bins)]).toEqual(naive)
    }),
  )
})

test('clusters are the connected components of the pages that overlap enough', () => {
  fc.assert(
    fc.property(rows, fc.constantFrom(0.2, 0.5, 0.8, 1), (covers, least) => {
      const clusters = overlapClusters(coversOf(covers), least)
      // Labels spread along overlaps until nothing changes.
      const labels = covers.map((_, row) => row)
      for (let round = 0; round < covers.length; round++)
        for (const [i, a] of covers.entries())
          for (const [j, b] of covers.entries())
            if (naiveJaccard(a, b) >= least) labels[j] = labels[i] = Math.min(labels[i], labels[j])
      for (const i of covers.keys())
        for (const j of covers.keys())
          expect(clusters[i] === clusters[j]).toBe(labels[i] === labels[j])
    }),
  )
})

test('Lemma 2 fails at a third: of three pages two pairs overlap by two thirds, the third by one', () => {
  const covers = coversOf([
    [1, 2],
    [1, 2, 3],
    [2, 3],
  ])
  expect([...overlapHistogram(covers, 3)]).toEqual([0, 1, 2])
  expect([...overlapClusters(covers, 2 / 3)]).toEqual([0, 0, 0])
})
