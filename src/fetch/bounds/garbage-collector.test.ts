import { expect, test } from 'vitest'
import { garbageCollector } from './garbage-collector.ts'

const usedMb = () => process.memoryUsage().heapUsed / 2 ** 20

/** Makes garbage, and tells how much was in use while it was none; a function of its own, so that nothing holds it afterwards. */
function usedWhileHolding(count: number): number {
  const pages = Array.from({ length: count }, (_, number) => ({ number }))
  const used = usedMb()
  expect(pages.length).toBe(count)
  return used
}

test('garbage is collected when there is much of it', () => {
  const collectGarbage = garbageCollector(24 * 2 ** 20)
  collectGarbage() // what there is by now counts as in use
  const most = usedWhileHolding(1_000_000)
  collectGarbage()
  expect(usedMb()).toBeLessThan(most - 24)
})
