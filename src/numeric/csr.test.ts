import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Csr, csrFromEdges, distinctRows, rowCount, rowOf, transpose } from './csr.ts'

const node = fc.integer({ min: 0, max: 9 })
const edges = fc.array(fc.tuple(node, node), { maxLength: 200 })

function csrOf(pairs: [number, number][], rows = 10): Csr {
  const sources = Uint32Array.from(pairs, ([source]) => source)
  return csrFromEdges(
    rows,
    sources,
    Uint32Array.from(pairs, ([, target]) => target),
  )
}

function rowsOf(csr: Csr): number[][] {
  return Array.from({ length: rowCount(csr) }, (_, row) => [...rowOf(csr, row)])
}

const numbers = (a: number, b: number) => a - b

test('each row holds its edges in the order they came', () => {
  fc.assert(
    fc.property(edges, (pairs) => {
      const naive = Array.from({ length: 10 }, (_, row) =>
        pairs.filter(([source]) => source === row).map(([, target]) => target),
      )
      expect(rowsOf(csrOf(pairs))).toEqual(naive)
    }),
  )
})

test('a transposed graph links back, and twice transposed it is the same with sorted rows', () => {
  fc.assert(
    fc.property(edges, (pairs) => {
      const csr = csrOf(pairs)
      const turned = transpose(csr)
      const naive = Array.from({ length: 10 }, (_, row) =>
        pairs
          .filter(([, target]) => target === row)
          .map(([source]) => source)
          .sort(numbers),
      )
      expect(rowsOf(turned)).toEqual(naive)
      expect(rowsOf(transpose(turned))).toEqual(rowsOf(csr).map((row) => row.sort(numbers)))
    }),
  )
})

test('a graph with more columns than rows can be transposed', () => {
  const csr = csrOf([[0, 3]], 1)
  expect(rowsOf(transpose(csr, 4))).toEqual([[], [], [], [0]])
})

test('distinct rows have each target once, ascending, and never the row itself', () => {
  fc.assert(
    fc.property(edges, (pairs) => {
      const csr = csrOf(pairs)
      const before = [...csr.targets]
      const naive = rowsOf(csr).map((row, self) =>
        [...new Set(row)].filter((target) => target !== self).sort(numbers),
      )
      expect(rowsOf(distinctRows(csr))).toEqual(naive)
      expect([...csr.targets]).toEqual(before)
    }),
  )
})

test('long rows are made distinct too', () => {
  const pairs = Array.from({ length: 5000 }, (_, i): [number, number] => [i % 2, (i * 7) % 300])
  const [even, odd] = rowsOf(distinctRows(csrOf(pairs, 300)))
  const all = Array.from({ length: 300 }, (_, target) => target)
  expect(even).toEqual(all.filter((target) => target % 2 === 0 && target !== 0))
  expect(odd).toEqual(all.filter((target) => target % 2 === 1 && target !== 1))
})

test('an edge from beyond the last row is a bug, not data', () => {
  expect(() => csrOf([[10, 0]])).toThrow('row 10 of 10')
})
