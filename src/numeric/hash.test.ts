import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hash32, hash64, lastHash64, mixHash } from './hash.ts'

function hex64(text: string): string {
  hash64(text)
  return [...lastHash64].map((word) => word.toString(16).padStart(8, '0')).join('')
}

test('a text has the same hash in every run and on every machine', () => {
  expect(['', 'a', 'https://example.org/'].map(hex64)).toEqual([
    'cfa113010c77f6f4',
    'cc9026617a9e8dad',
    '6ac8654830515d30',
  ])
})

test('similar texts have hashes of which no half agrees', () => {
  const count = 20_000
  const low = new Set<number>()
  const both = new Set<string>()
  for (let page = 0; page < count; page++) {
    const text = `https://example.org/page-${page}`
    both.add(hex64(text))
    low.add(hash32(text))
  }
  expect(both.size).toBe(count)
  expect(low.size).toBeGreaterThan(count - 3)
})

test('texts that differ in length, order or one bit have different hashes', () => {
  const texts = ['\0', '\0\0', '\0\0\0\0', 'ab', 'ba', 'abcd', 'abdc', 'cdab', '\ud800', '\udc00']
  expect(new Set(texts.map(hex64)).size).toBe(texts.length)
})

test('every output bit is set about half the time', () => {
  const ones = new Array(32).fill(0)
  for (let url = 0; url < 4096; url++) {
    for (let bit = 0; bit < 32; bit++) ones[bit] += (mixHash(1, url) >>> bit) & 1
  }
  for (const count of ones) expect(Math.abs(count - 2048)).toBeLessThan(200)
})

test('under one seed two URLs never get the same hash, and hashes are 32-bit', () => {
  fc.assert(
    fc.property(fc.integer(), fc.nat(), fc.nat(), (seed, one, other) => {
      fc.pre(one !== other)
      expect(mixHash(seed, one)).not.toBe(mixHash(seed, other))
      expect(mixHash(seed, one)).toBe(mixHash(seed, one) >>> 0)
    }),
  )
})

test('seeds change the hash', () => {
  expect(hash32('a', 1)).not.toBe(hash32('a', 2))
  expect(mixHash(1, 5)).not.toBe(mixHash(2, 5))
})
