/**
 * The 64 bits that `hash64` left behind: low word, then high word. One shared pair, so that hashing
 * allocates nothing; read it before the next call.
 */
export const lastHash64: Uint32Array = new Uint32Array(2)

/**
 * Leaves the 64-bit hash of a text's UTF-16 units in `lastHash64`; the same on every machine.
 * Two 32-bit lanes in the manner of MurmurHash3: each step is a bijection of the pair for a given
 * text, so lanes never collide apart from each other.
 */
export function hash64(text: string, seed = 0): void {
  const length = text.length
  let lo = seed | 0
  let hi = seed ^ 0x9e3779b9
  let at = 0
  for (; at + 4 <= length; at += 4) {
    const first = text.charCodeAt(at) | (text.charCodeAt(at + 1) << 16)
    const second = text.charCodeAt(at + 2) | (text.charCodeAt(at + 3) << 16)
    lo ^= scramble(first, 0x239b961b, 0xab0e9789)
    lo = (Math.imul(((lo << 19) | (lo >>> 13)) + hi, 5) + 0x561ccd1b) | 0
    hi ^= scramble(second, 0x38b34ae5, 0xa1e38b93)
    hi = (Math.imul(((hi << 13) | (hi >>> 19)) + lo, 5) + 0x32ac3b17) | 0
  }
  for (; at < length; at++) {
    lo ^= scramble(text.charCodeAt(at), 0x239b961b, 0xab0e9789)
    lo = (Math.imul(((lo << 19) | (lo >>> 13)) + hi, 5) + 0x561ccd1b) | 0
    hi = (((hi << 13) | (hi >>> 19)) + lo) | 0
  }
  lo = (lo ^ length) + hi
  hi = hi + lo
  lo = avalanche(lo)
  hi = avalanche(hi)
  lo = (lo + hi) | 0
  hi = (hi + lo) | 0
  lastHash64[0] = lo
  lastHash64[1] = hi
}

/** The two words of many 64-bit hashes, in columns. */
export interface Hashes64 {
  readonly low: Uint32Array
  readonly high: Uint32Array
}

/** A 32-bit hash of a text, unsigned. */
export function hash32(text: string, seed = 0): number {
  hash64(text, seed)
  return lastHash64[0]
}

/**
 * An unsigned 32-bit hash of two numbers. Under one `a`, no two words `b` have the same.
 */
export function mixHash(a: number, b: number): number {
  return avalanche(avalanche(a + 0x9e3779b9) ^ Math.imul(b, 0x85ebca6b)) >>> 0
}

/** A test that about `most` of `count` numbers pass, always the same ones under a seed. */
export function sampleOf(seed: number, count: number, most: number): (number: number) => boolean {
  const limit = (most / Math.max(most, count)) * 0x1_0000_0000
  return (number) => mixHash(seed, number) < limit
}

function scramble(word: number, before: number, after: number): number {
  const k = Math.imul(word, before)
  return Math.imul((k << 15) | (k >>> 17), after)
}

/** A bijection of 32 bits in which every input bit can flip every output bit. */
function avalanche(word: number): number {
  let x = word | 0
  x = Math.imul(x ^ (x >>> 16), 0x85ebca6b)
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35)
  return x ^ (x >>> 16)
}
