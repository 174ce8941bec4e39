import fc from 'fast-check'
import { expect, test } from 'vitest'
import { inPlanOrder } from './in-plan-order.ts'

async function* arriving(ids: readonly number[]) {
  for (const id of ids) yield { id }
}

test('whatever arrives comes out in the order of the plan, each once', async () => {
  const plan = fc.uniqueArray(fc.nat(50))
  const arrivals = plan.chain((ids) => fc.tuple(fc.constant(ids), fc.shuffledSubarray(ids)))
  await fc.assert(
    fc.asyncProperty(arrivals, async ([ids, arrived]) => {
      const seen: number[] = []
      for await (const { id } of inPlanOrder(ids, arriving(arrived))) seen.push(id)
      expect(seen).toEqual(ids.filter((id) => arrived.includes(id)))
    }),
  )
})

test('what has come is handed on before the source ends', async () => {
  const order: string[] = []
  async function* source() {
    yield { id: 1 }
    order.push('asked for the second')
    yield { id: 2 }
  }
  for await (const { id } of inPlanOrder([1, 2], source())) order.push(`got ${id}`)
  expect(order).toEqual(['got 1', 'asked for the second', 'got 2'])
})
