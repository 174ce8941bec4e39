import { expect, test } from 'vitest'
import { compareResults } from './compare-results.ts'

const result = (rows: Record<string, unknown>[]) => ({
  experiment: 'selection',
  keys: ['policy', 'size'],
  rows,
})

test('rows are matched by their keys, whatever their order, and only changed numbers are told', () => {
  const before = result([
    { policy: 'bfs', size: 10, maxNdcg: 0.2, clicks: 5 },
    { policy: 'pagerank', size: 10, maxNdcg: 0.3, clicks: 7 },
  ])
  const after = result([
    { policy: 'pagerank', size: 10, maxNdcg: 0.3, clicks: 7 },
    { policy: 'bfs', size: 10, maxNdcg: 0.25, clicks: 5 },
  ])
  expect(compareResults(before, after)).toEqual({
    keys: ['policy', 'size'],
    changes: [{ row: ['bfs', 10], field: 'maxNdcg', before: 0.2, after: 0.25 }],
    sameRows: 1,
    onlyBefore: [],
    onlyAfter: [],
  })
})

test('rows without a twin are told on their side', () => {
  const before = result([{ policy: 'bfs', size: 10, maxNdcg: 0.2 }])
  const after = result([{ policy: 'bfs', size: 20, maxNdcg: 0.2 }])
  const { changes, onlyBefore, onlyAfter } = compareResults(before, after)
  expect(changes).toEqual([])
  expect(onlyBefore).toEqual([['bfs', 10]])
  expect(onlyAfter).toEqual([['bfs', 20]])
})

test('whether a change is more than chance is told by the intervals', () => {
  const row = (maxNdcg: number) => ({
    policy: 'bfs',
    size: 10,
    maxNdcg,
    ciLow: maxNdcg - 0.02,
    ciHigh: maxNdcg + 0.02,
  })
  const apartOf = (a: number, b: number) =>
    compareResults(result([row(a)]), result([row(b)])).changes.map(({ apart }) => apart)
  expect(apartOf(0.2, 0.3)).toEqual([true])
  expect(apartOf(0.2, 0.22)).toEqual([false])
})

test('numbers inside a row are compared too', () => {
  const before = result([{ policy: 'bfs', size: 1, codes: { '111': 5, '010': 1 } }])
  const after = result([{ policy: 'bfs', size: 1, codes: { '111': 6, '010': 1 } }])
  expect(compareResults(before, after).changes).toEqual([
    { row: ['bfs', 1], field: 'codes.111', before: 5, after: 6 },
  ])
})

test('a number that one run could not tell is a change', () => {
  const before = result([{ policy: 'bfs', size: 1, maxNdcg: null, clicks: null }])
  const after = result([{ policy: 'bfs', size: 1, maxNdcg: 0.2, clicks: null, newField: 3 }])
  expect(compareResults(before, after)).toMatchObject({
    changes: [{ field: 'maxNdcg', before: null, after: 0.2 }],
    sameRows: 0,
  })
})
