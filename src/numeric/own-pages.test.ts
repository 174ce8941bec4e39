import fc from 'fast-check'
import { expect, test } from 'vitest'
import { releaseArrays, resizedInOwnPages } from './own-pages.ts'

test('what a buffer held is there at any length, and new bytes are 0', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 9_000 }),
      fc.array(fc.nat(50_000), { maxLength: 8 }),
      fc.nat(40_000),
      (bytes, lengths, most) => {
        let [buffer, expected] = [Buffer.from(bytes), Buffer.from(bytes)]
        for (const length of lengths) {
          buffer = resizedInOwnPages(buffer, length, most)
          expected = Buffer.concat([expected.subarray(0, length)], length)
          expect(buffer.equals(expected)).toBe(true)
        }
      },
    ),
  )
})

test('it grows where it is, up to the length that was said to be the most', () => {
  const first = resizedInOwnPages(Buffer.from('abc'), 10, 1000)
  const second = resizedInOwnPages(first, 1000, 1000)
  expect(second.buffer).toBe(first.buffer)
  expect(resizedInOwnPages(second, 10).buffer.byteLength).toBe(10)
})

test('arrays that are released are empty, and what is part of something larger is left alone', () => {
  const own = Uint32Array.of(1, 2, 3)
  const larger = Uint32Array.of(4, 5, 6)
  releaseArrays([own, larger.subarray(1), Buffer.from('of a pool'), own])
  expect(own).toHaveLength(0)
  expect([...larger]).toEqual([4, 5, 6])
})
