import {
  brotliCompressSync,
  constants,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { staysLinear } from '#numeric/stays-linear.test-kit.ts'
import { decodeBody, decodedBeginning } from './decode-body.ts'

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

describe.each(encodings)('of a body packed with %s that is too long', (encoding) => {
  const MB = 2 ** 20
  const quickly = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }
  const packed = (body: Uint8Array) =>
    encoding === 'br' ? brotliCompressSync(body, quickly) : pack[encoding](body)
  /** Hardly any of them twice. */
  const words = (count: number) =>
    Buffer.from(
      Array.from({ length: count }, (_, i) => `w${Math.imul(i, 0x9e3779b1) >>> 8} `).join(''),
    )

  test('most of what fits is had, also where the rest is packed tighter', () => {
    const even = words(400_000)
    const read = decodedBeginning(packed(even), encoding, MB)
    expect(read.kind === 'decoded' && even.subarray(0, read.body.length).equals(read.body)).toBe(
      true,
    )
    expect(read.kind === 'decoded' && read.body.length).toBeGreaterThan(0.45 * MB)
    const tighter = Buffer.concat([words(60_000), Buffer.from('the same. '.repeat(50_000))])
    const most = decodedBeginning(packed(tighter), encoding, 600_000)
    expect(most.kind === 'decoded' && most.body.length).toBeGreaterThan(20_000)
  })

  test('nothing is had of one that begins with a bomb, at the price of a sample', () => {
    const bomb = Buffer.concat([Buffer.alloc(12 * MB), words(300_000)])
    const body = packed(bomb)
    expect(decodedBeginning(body, encoding, 10 * MB)).toEqual({ kind: 'too-large' })
    // Once it was halved until it fitted: 102 bytes of Brotli before 10 MB took two seconds.
    const cost = costMs(() => decodedBeginning(body, encoding, 10 * MB))
    expect(cost).toBeLessThan(3 * costMs(() => decodeBody(body, encoding, 10 * MB)) + 20)
  })
})

/** Least CPU of some tries. */
function costMs(work: () => void): number {
  const costs = Array.from({ length: 3 }, () => {
    const before = process.cpuUsage()
    work()
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  })
  return Math.min(...costs)
}
