import { expect, test } from 'vitest'
import { collectGarbage } from './old-generation.ts'

const usedMb = () => process.memoryUsage().heapUsed / 2 ** 20

test('garbage is collected when there is much of it', () => {
  collectGarbage() // what there is by now counts as in use
  const before = usedMb()
  let pages = Array.from({ length: 1_000_000 }, (_, number) => ({ number }))
  expect(usedMb()).toBeGreaterThan(before + 24)
  expect(pages.length).toBe(1_000_000)
  pages = []
  collectGarbage()
  expect(usedMb()).toBeLessThan(before + 12)
})
