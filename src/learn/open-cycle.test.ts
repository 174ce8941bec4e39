import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { FetchEntry } from './entries/fetch-entry.ts'
import { OpenCycle } from './open-cycle.ts'

const fetched = (id: number) => ({ outcome: { id } }) as FetchEntry
const idsOf = (fetches: Iterable<FetchEntry>) => Array.from(fetches, ({ outcome }) => outcome.id)

test('whatever arrives is learnt in the order of the plan, each once', () => {
  const plan = fc.uniqueArray(fc.nat(50))
  const arrivals = plan.chain((ids) => fc.tuple(fc.constant(ids), fc.shuffledSubarray(ids)))
  fc.assert(
    fc.property(arrivals, ([ids, arrived]) => {
      const cycle = new OpenCycle()
      cycle.begin(ids)
      const seen = arrived.flatMap((id) => {
        cycle.add(fetched(id))
        return idsOf(cycle.ready())
      })
      expect([...seen, ...idsOf(cycle.rest())]).toEqual(ids.filter((id) => arrived.includes(id)))
    }),
  )
})

test('what has come is learnt before the rest comes', () => {
  const cycle = new OpenCycle()
  cycle.begin([1, 2])
  cycle.add(fetched(1))
  expect(idsOf(cycle.ready())).toEqual([1])
})

test('what no plan names is learnt as it came, when the cycle ends', () => {
  const cycle = new OpenCycle()
  for (const id of [3, 1, 2]) cycle.add(fetched(id))
  expect(idsOf(cycle.ready())).toEqual([])
  expect(idsOf(cycle.rest())).toEqual([3, 1, 2])
})
