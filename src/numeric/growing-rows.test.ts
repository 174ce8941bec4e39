import fc from 'fast-check'
import { expect, test } from 'vitest'
import { GrowingRows } from './growing-rows.ts'

test('every row keeps its values in order, whichever rows grow in between', () => {
  const steps = fc.array(fc.tuple(fc.nat(6), fc.nat(0xffffffff)), { maxLength: 300 })
  fc.assert(
    fc.property(steps, (pushes) => {
      const rows = new GrowingRows()
      const naive = Array.from({ length: 8 }, (): number[] => [])
      for (const [row, value] of pushes) {
        rows.push(row, value)
        naive[row].push(value)
      }
      naive.forEach((expected, row) => {
        expect([...rows.rowOf(row)]).toEqual(expected)
        expect(rows.lengthOf(row)).toBe(expected.length)
      })
    }),
  )
})

test('room that rows moved out of is used again', () => {
  const rows = new GrowingRows()
  for (let row = 0; row < 10_000; row++) for (let i = 0; i < 8; i++) rows.push(row, i)
  expect(rows.room).toBeLessThan(10_000 * 8 * 1.6)
})
