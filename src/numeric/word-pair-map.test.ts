import fc from 'fast-check'
import { expect, test } from 'vitest'
import { WordPairMap } from './word-pair-map.ts'

test('it answers as a Map of the same keys would', () => {
  const word = fc.oneof(fc.nat(5), fc.integer({ min: 0, max: 0xffffffff }))
  fc.assert(
    fc.property(fc.array(fc.tuple(word, word, fc.nat(1000)), { maxLength: 200 }), (entries) => {
      const map = new WordPairMap()
      const naive = new Map<string, number>()
      for (const [low, high, value] of entries) {
        expect(map.get(low, high)).toBe(naive.get(`${low},${high}`))
        map.set(low, high, value)
        naive.set(`${low},${high}`, value)
      }
      expect(map.size).toBe(naive.size)
      for (const [low, high] of entries)
        expect(map.get(low, high)).toBe(naive.get(`${low},${high}`))
    }),
  )
})
