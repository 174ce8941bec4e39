import {
  brotliCompressSync,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { staysLinear } from '#numeric/stays-linear.test-kit.ts'
import { decodeBody } from './decode-body.ts'

const pack: Record<string, (body: Uint8Array) => Uint8Array> = {
  gzip: gzipSync,
  'x-gzip': gzipSync,
  deflate: deflateSync,
  br: brotliCompressSync,
  zstd: zstdCompressSync,
}
const encodings = Object.keys(pack)
const text = Buffer.from('some words of a page, '.repeat(500))
const LIMIT = 100_000

describe.each(encodings)('a body packed with %s', (encoding) => {
  test('comes out as it went in', () => {
    expect(decodeBody(pack[encoding](text), encoding.toUpperCase(), LIMIT)).toEqual({
      kind: 'decoded',
      body: text,
    })
  })

  test('that unpacks beyond the limit is given up', () => {
    const bomb = pack[encoding](Buffer.alloc(50_000_000))
    expect(decodeBody(bomb, encoding, LIMIT)).toEqual({ kind: 'too-large' })
  })

  test('that was cut on the way is known to be cut', () => {
    const packed = pack[encoding](text)
    expect(decodeBody(packed.subarray(0, packed.length - 9), encoding, LIMIT)).toEqual({
      kind: 'cut',
    })
  })

  test('that is no such thing is broken, whatever its bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const { kind } = decodeBody(bytes, encoding, LIMIT)
        expect(['decoded', 'cut', 'broken']).toContain(kind)
      }),
    )
  })
})

test('bare deflate without its zlib frame is understood', () => {
  expect(decodeBody(deflateRawSync(text), 'deflate', LIMIT)).toEqual({
    kind: 'decoded',
    body: text,
  })
})

test('several gzip members in a row are one body', () => {
  const packed = Buffer.concat([gzipSync('one '), gzipSync('two')])
  const decoded = decodeBody(packed, 'gzip', LIMIT)
  expect(decoded.kind === 'decoded' && Buffer.from(decoded.body).toString()).toBe('one two')
})

test.each([
  // Stored blocks of one byte each, and members with nothing in them.
  ['deflate', Buffer.from([0, 1, 0, 0xfe, 0xff, 0x78])],
  ['gzip', gzipSync('')],
])(
  'a body of countless tiny parts costs no more than in proportion to its bytes: %s',
  async (encoding, part) => {
    const bodyOf = (count: number) => Buffer.alloc(count * part.length, part)
    await staysLinear(bodyOf, (body) => decodeBody(body, encoding, 10 << 20), { size: 60_000 })
  },
)

test('two layers are taken off in reverse order, three are refused', () => {
  const twice = brotliCompressSync(gzipSync(text))
  expect(decodeBody(twice, 'gzip, br', LIMIT)).toEqual({ kind: 'decoded', body: text })
  expect(decodeBody(twice, 'gzip, br, br', LIMIT).kind).toBe('broken')
})

test('a bomb inside a bomb stops at the same limit', () => {
  const nested = gzipSync(gzipSync(Buffer.alloc(50_000_000)))
  expect(decodeBody(nested, 'gzip, gzip', LIMIT)).toEqual({ kind: 'too-large' })
})

test('an unpacked body, an empty packed one and an unknown packing', () => {
  expect(decodeBody(text, undefined, LIMIT)).toEqual({ kind: 'decoded', body: text })
  expect(decodeBody(text, 'identity', 10)).toEqual({ kind: 'too-large' })
  expect(decodeBody(new Uint8Array(), 'gzip', LIMIT).kind).toBe('decoded')
  expect(decodeBody(text, 'sdch', LIMIT).kind).toBe('broken')
})
