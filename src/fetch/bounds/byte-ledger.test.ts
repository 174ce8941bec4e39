import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ByteLedger } from './byte-ledger.ts'

const MIB = 1 << 20

test('without a budget every request gets its full limit', () => {
  const ledger = new ByteLedger()
  for (let n = 0; n < 1000; n++) expect(ledger.reserve(10 * MIB)).toBe(10 * MIB)
  expect(ledger.free).toBe(Number.POSITIVE_INFINITY)
})

test('a small budget is shared by several requests at once', () => {
  const ledger = new ByteLedger(8 * MIB)
  const granted = Array.from({ length: 9 }, () => ledger.reserve(10 * MIB))
  expect(granted.filter((bytes) => bytes >= MIB).length).toBeGreaterThanOrEqual(6)
  expect(granted.reduce((sum, bytes) => sum + bytes)).toBe(8 * MIB)
  expect(ledger.free).toBe(0)
})

test('what a request did not need comes back at once', () => {
  const ledger = new ByteLedger(MIB)
  const granted = ledger.reserve(10 * MIB)
  expect([granted, ledger.free]).toEqual([MIB, 0])
  ledger.receive(granted, 1000)
  expect(ledger.free).toBe(MIB - 1000)
})

test('with little left, a request waits for what another may give back', () => {
  const ledger = new ByteLedger(1.5 * MIB)
  const granted = ledger.reserve(10 * MIB)
  expect([ledger.free, ledger.canReserve]).toEqual([0.5 * MIB, false])
  ledger.receive(granted, granted)
  expect([ledger.free, ledger.canReserve]).toEqual([0.5 * MIB, true])
  ledger.receive(ledger.reserve(MIB), 0.5 * MIB)
  expect([ledger.free, ledger.canReserve]).toEqual([0, false])
})

test('a budget is never overrun, whenever the consumer counts', () => {
  const step = fc.record({
    reserve: fc.boolean(),
    wants: fc.nat(3 * MIB),
    told: fc.boolean(),
    counts: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.nat(5 * MIB), fc.array(step), (budget, steps) => {
      let counted = 0
      let received = 0
      const ledger = new ByteLedger(budget)
      const underWay: number[] = []
      const unread: number[] = []
      for (const { reserve, wants, told, counts } of steps) {
        if (reserve && ledger.free > 0) underWay.push(ledger.reserve(2 * MIB))
        else if (underWay.length > 0) {
          const granted = underWay.shift()!
          const bytes = Math.min(wants, granted)
          received += bytes
          ledger.receive(granted, bytes)
          if (told) unread.push(bytes)
        }
        if (counts && unread.length > 0) {
          const bytes = unread.shift()!
          counted += bytes
          ledger.counted(bytes, budget - counted)
        }
        expect(received).toBeLessThanOrEqual(budget)
        const promised = underWay.reduce((sum, bytes) => sum + bytes, 0)
        expect(ledger.free).toBe(budget - received - promised)
      }
    }),
  )
})
