import fc from 'fast-check'
import { expect, test } from 'vitest'
import { valuesInTurn } from './query-capacity.ts'

/** Things share purses: what is taken from a purse makes its other things worth less. */
function purses(purseOf: readonly number[], values: Float64Array) {
  const taken = new Map<number, number>()
  return {
    valueNow: (i: number) => values[i] / (1 + (taken.get(purseOf[i]) ?? 0)),
    take: (i: number) => taken.set(purseOf[i], (taken.get(purseOf[i]) ?? 0) + 1),
  }
}

/** Looks at everything before every choice. */
function naiveTurns(values: Float64Array, purseOf: readonly number[], count: number) {
  const choice = purses(purseOf, values)
  const left = new Set(values.keys())
  const order: { i: number; value: number }[] = []
  while (order.length < count && left.size > 0) {
    const [best] = [...left].sort((a, b) => choice.valueNow(b) - choice.valueNow(a) || a - b)
    order.push({ i: best, value: choice.valueNow(best) })
    choice.take(best)
    left.delete(best)
  }
  return order
}

test('the best in turn are those that looking at everything each time finds', () => {
  const thing = fc.tuple(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 3 }))
  fc.assert(
    fc.property(fc.array(thing, { maxLength: 30 }), fc.nat(30), (things, count) => {
      const values = Float64Array.from(things, ([value]) => value)
      const purseOf = things.map(([, purse]) => purse)
      const choice = purses(purseOf, values)
      const taken: number[] = []
      const inTurn = valuesInTurn(values, count, {
        ...choice,
        take: (i) => {
          taken.push(i)
          choice.take(i)
        },
      })
      const naive = naiveTurns(values, purseOf, count)
      expect(taken.map((i) => inTurn[i])).toEqual(naive.map(({ value }) => value))
      inTurn.forEach((value, i) => {
        expect(value).toBeLessThanOrEqual(values[i])
      })
    }),
  )
})

test('of two pages that would take one place, the second is worth less', () => {
  const values = Float64Array.of(5, 5, 4)
  expect([...valuesInTurn(values, 3, purses([0, 0, 1], values))]).toEqual([5, 2.5, 4])
})
