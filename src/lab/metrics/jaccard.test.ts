import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jaccard } from './jaccard.ts'

test('one page in common of four covered by either: a quarter', () => {
  expect(jaccard(Uint32Array.of(4, 5, 6, 7), Uint32Array.of(5))).toBe(0.25)
})

test('two empty sets are neither alike nor unlike', () => {
  expect(jaccard(new Uint32Array(), new Uint32Array())).toBeUndefined()
  expect(jaccard(new Uint32Array(), Uint32Array.of(3))).toBe(0)
})

test('a naive twin agrees', () => {
  const urls = fc.uniqueArray(
    fc.oneof(fc.nat(20), fc.integer({ min: 2 ** 32 - 3, max: 2 ** 32 - 1 })),
  )
  fc.assert(
    fc.property(urls, urls, (first, second) => {
      const shared = first.filter((url) => second.includes(url)).length
      const all = new Set([...first, ...second]).size
      const like = jaccard(Uint32Array.from(first).sort(), Uint32Array.from(second).sort())
      expect(like).toBe(all === 0 ? undefined : shared / all)
    }),
  )
})
