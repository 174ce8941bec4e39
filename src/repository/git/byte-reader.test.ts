import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ByteReader } from './byte-reader.ts'

async function* chunksOf(parts: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* parts
}

test('fields and counted bytes come whole, however the stream is cut', async () => {
  const field = fc.uint8Array({ maxLength: 20 }).map((bytes) => bytes.filter((byte) => byte !== 10))
  const part = fc.record({ field, body: fc.uint8Array({ maxLength: 50 }), isSkipped: fc.boolean() })
  await fc.assert(
    fc.asyncProperty(
      fc.array(part),
      fc.array(fc.integer({ min: 0, max: 30 })),
      async (parts, cuts) => {
        const whole = Buffer.concat(
          parts.map(({ field, body }) => Buffer.from([...field, 10, ...body])),
        )
        const pieces: Uint8Array[] = []
        let start = 0
        for (const cut of cuts) {
          pieces.push(whole.subarray(start, start + cut))
          start += cut
        }
        pieces.push(whole.subarray(start))
        const reader = new ByteReader(chunksOf(pieces))
        for (const { field, body, isSkipped } of parts) {
          expect(await reader.field(10)).toBe(Buffer.from(field).toString('latin1'))
          if (isSkipped) expect(await reader.skip(body.length)).toBe(true)
          else expect(await reader.take(body.length)).toEqual(body)
        }
        expect(await reader.field(10)).toBeUndefined()
      },
    ),
  )
})

test('a stream that ends too early has no more to give', async () => {
  const cut = () => new ByteReader(chunksOf([new Uint8Array(3)]))
  expect(await cut().take(4)).toBeUndefined()
  expect(await cut().skip(4)).toBe(false)
  expect(await cut().field(10)).toBeUndefined()
})
