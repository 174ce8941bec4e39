import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LazyOrder } from './lazy-order.ts'

/** The indices of the k largest values, as `LazyOrder` hands them out. */
function topK(values: Float64Array, k: number, ties?: Uint32Array): number[] {
  const order = new LazyOrder(values, ties)
  return Array.from({ length: Math.min(k, values.length) }, () => order.next()!)
}

// Few distinct values, so that ties are common.
const rows = fc.array(fc.tuple(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0, max: 5 })), {
  maxLength: 300,
})

test('the k largest come out as a full sort would give them', () => {
  fc.assert(
    fc.property(rows, fc.nat(320), (pairs, k) => {
      const values = Float64Array.from(pairs, ([value]) => value)
      const ties = Uint32Array.from(pairs, ([, tie]) => tie)
      const sorted = [...pairs.keys()].sort(
        (a, b) => values[b] - values[a] || ties[a] - ties[b] || a - b,
      )
      expect([...topK(values, k, ties)]).toEqual(sorted.slice(0, k))
    }),
  )
})

test('without tie keys, equal values come in the order of their indices', () => {
  expect([...topK(Float64Array.of(1, 3, 1, 3), 3)]).toEqual([1, 3, 0])
})

test('long inputs in any common order are sorted right', () => {
  const size = 5000
  const shapes = [
    (i: number) => i,
    (i: number) => -i,
    () => 1,
    (i: number) => Math.min(i, size - i),
    (i: number) => (i * 7919) % size,
    (i: number) => (i % 2 === 0 ? Infinity : -Infinity),
  ]
  for (const shape of shapes) {
    const values = Float64Array.from({ length: size }, (_, i) => shape(i))
    const sorted = [...values.keys()].sort((a, b) =>
      values[a] === values[b] ? a - b : values[b] > values[a] ? 1 : -1,
    )
    expect([...topK(values, size)]).toEqual(sorted)
  }
})

test('an order that is used up says so, and its input stays as it was', () => {
  const values = Float64Array.of(1, 2)
  const order = new LazyOrder(values)
  expect([order.next(), order.next(), order.next()]).toEqual([1, 0, undefined])
  expect([...values]).toEqual([1, 2])
})

test('what is no longer wanted is left out of the rest, at any moment', () => {
  const values = fc.array(fc.integer({ min: 0, max: 50 }), { maxLength: 400 })
  fc.assert(
    fc.property(values, fc.array(fc.nat(30), { maxLength: 8 }), (numbers, pauses) => {
      const order = new LazyOrder(Float64Array.from(numbers))
      let twin = [...numbers.keys()].sort((a, b) => numbers[b] - numbers[a] || a - b)
      pauses.forEach((taken, round) => {
        for (let i = 0; i < taken; i++) expect(order.next()).toBe(twin.shift())
        const isWanted = (index: number) => index % (round + 2) !== 0
        order.keepOnly(isWanted)
        twin = twin.filter(isWanted)
        expect(order.left).toBe(twin.length)
      })
      expect(twin.map(() => order.next())).toEqual(twin)
      expect(order.next()).toBeUndefined()
    }),
  )
})
