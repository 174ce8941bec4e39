import { expect, test } from 'vitest'
import { tableOf } from './feature-table.test-kit.ts'
import { GrowingTable, mustHaveFeatures, selectRows } from './feature-table.ts'

test('a table grows, and keeps what was written', () => {
  const table = new GrowingTable(['depth', 'links'])
  for (let row = 0; row < 3000; row += 3) {
    expect(table.add(3)).toBe(row)
    for (let i = row; i < row + 3; i++) {
      table.columns[0][i] = i
      table.columns[1][i] = Number.NaN
    }
  }
  const { columns, rows } = table.view()
  expect(rows).toBe(3000)
  expect([...columns[0]]).toEqual(Array.from({ length: 3000 }, (_, row) => row))
  expect(columns[1].every(Number.isNaN)).toBe(true)
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
