import fc from 'fast-check'
import { expect, test } from 'vitest'
import { BodyBuffer } from './body-buffer.ts'

test('the pieces come out as one, whatever their sizes', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 90_000 }), { maxLength: 30 }), (pieces) => {
      const body = new BodyBuffer(1_000_000)
      for (const piece of pieces) body.append(piece)
      expect(body.bytes().equals(Buffer.concat(pieces))).toBe(true)
      expect(body.length).toBe(body.bytes().length)
    }),
  )
})

test('what is kept is hardly larger than the body, even if it came byte by byte', () => {
  const body = new BodyBuffer(1 << 20)
  const byte = Buffer.from('x')
  for (let i = 0; i < 100_000; i++) body.append(byte)
  expect(body.bytes().buffer.byteLength).toBeLessThan(130_000)
})

test('a piece is copied: what it was cut from need not be kept, and may change', () => {
  const body = new BodyBuffer(1 << 20)
  const slab = Buffer.alloc(65_536, 'a')
  body.append(slab.subarray(0, 10))
  slab.fill('b')
  expect(body.bytes().toString()).toBe('aaaaaaaaaa')
  expect(body.bytes().buffer.byteLength).toBeLessThan(10_000)
})

test('a limit beyond all memory costs nothing', () => {
  const bodies = Array.from({ length: 300 }, () => new BodyBuffer(Number.MAX_SAFE_INTEGER))
  const piece = Buffer.alloc(200_000, 'x')
  for (const body of bodies) body.append(piece)
  expect(bodies.every((body) => body.bytes().equals(piece))).toBe(true)
})
