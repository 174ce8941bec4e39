import { expect, test } from 'vitest'
import { tableOf } from './feature-table.test-kit.ts'
import { GrowingTable, mustHaveFeatures, selectRows } from './feature-table.ts'

test('a table grows row by row, and an earlier view stays as it was', () => {
  const table = new GrowingTable(['depth', 'links'])
  expect(table.append([1, 5])).toBe(0)
  const before = table.view()
  for (let row = 1; row < 100; row++) expect(table.append([row, Number.NaN])).toBe(row)
  expect(table.rows).toBe(100)
  expect(before.columns.map((column) => [...column])).toEqual([[1], [5]])
  const { columns, rows } = table.view()
  expect(rows).toBe(100)
  expect(columns[0][99]).toBe(99)
  expect(columns[1][99]).toBeNaN()
})

test('a row with a value too many or too few is refused', () => {
  const table = new GrowingTable(['depth', 'links'])
  expect(() => table.append([1])).toThrow('a row of 1 values for 2 features')
})

test('rows are selected in the order asked for, and as often', () => {
  const table = tableOf(
    ['a', 'b'],
    [
      [1, 10],
      [2, 20],
      [3, 30],
    ],
  )
  const selected = selectRows(table, Uint32Array.of(2, 0, 2))
  expect(selected.columns.map((column) => [...column])).toEqual([
    [3, 1, 3],
    [30, 10, 30],
  ])
  expect(selected.rows).toBe(3)
})

test('a model refuses features other than its own, and its own in another order', () => {
  const table = tableOf(['a', 'b'], [])
  expect(() => mustHaveFeatures(table, ['a', 'b'])).not.toThrow()
  expect(() => mustHaveFeatures(table, ['b', 'a'])).toThrow('a model of b, a cannot read a, b')
  expect(() => mustHaveFeatures(table, ['a'])).toThrow()
})
