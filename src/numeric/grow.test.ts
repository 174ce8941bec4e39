import fc from 'fast-check'
import { expect, test } from 'vitest'
import { GrowingColumn } from './grow.ts'

test('a column grows like an array', () => {
  const batches = fc.array(fc.array(fc.nat(), { maxLength: 50 }), { maxLength: 10 })
  fc.assert(
    fc.property(batches, fc.nat(3), (parts, capacity) => {
      const column = new GrowingColumn(Uint32Array, capacity)
      const twin: number[] = []
      for (const part of parts) {
        column.append(part)
        twin.push(...part)
        expect([...column.view()]).toEqual(twin)
        expect(column.push(part.length)).toBe(twin.push(part.length) - 1)
      }
      expect(column.length).toBe(twin.length)
      expect([...column.view()]).toEqual(twin)
    }),
  )
})

test('a view shows what is set later', () => {
  const column = new GrowingColumn(Float64Array)
  column.push(1)
  const view = column.view()
  column.set(0, 2.5)
  expect(view[0]).toBe(2.5)
  expect(column.at(0)).toBe(2.5)
})

test('a view taken after room was made shows what is set from then on', () => {
  const column = new GrowingColumn(Float64Array)
  column.push(1)
  column.view()
  column.reserve(100)
  column.set(0, 2.5)
  expect([...column.view()]).toEqual([2.5])
})

test('a column that grows gives back what nobody reads, and leaves views as they were', () => {
  const made: Uint32Array[] = []
  class Noted extends Uint32Array {
    constructor(length: number) {
      super(length)
      made.push(this)
    }
    static get [Symbol.species]() {
      return Uint32Array
    }
  }
  const column = new GrowingColumn<Uint32Array>(Noted, 5_000)
  column.push(7)
  column.reserve(10_000)
  const view = column.view()
  column.reserve(20_000)
  expect(made.map(({ length }) => length)).toEqual([0, 10_000, 20_000])
  expect([...view]).toEqual([7])
  expect([...column.view()]).toEqual([7])
})

test('an index outside the column is a bug, not a number', () => {
  const column = new GrowingColumn(Uint8Array)
  expect(() => column.at(0)).toThrow('outside a column of 0')
  expect(() => column.set(-1, 3)).toThrow('outside')
})

test('a column is lengthened with the value named, never shortened, and goes on from there', () => {
  const column = new GrowingColumn(Float64Array, 2)
  column.push(5)
  column.lengthen(4, Number.NaN)
  column.lengthen(2, 7)
  column.lengthen(40)
  expect([...column.view().subarray(0, 5)]).toEqual([5, Number.NaN, Number.NaN, Number.NaN, 0])
  expect(column.push(9)).toBe(40)
  expect(column.view().subarray(4)).toEqual(
    Float64Array.from({ length: 37 }, (_, i) => (i === 36 ? 9 : 0)),
  )
})
