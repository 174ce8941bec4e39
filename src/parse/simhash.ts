/** 64 bits that are alike for texts that are alike; two unsigned words. */
export interface SimHash {
  readonly low: number
  readonly high: number
}

/** Fewer words than these make a text too short to be told apart from others by its bits. */
export const MIN_SIMHASH_WORDS = 20

// Per ASCII code of lower-case text: 1 is part of a word.
const IN_WORD = Uint8Array.from({ length: 128 }, (_, code) =>
  /[a-z0-9]/.test(String.fromCharCode(code)) ? 1 : 0,
)
// counts[256 * i + b]: in how many shingles byte i of the hash was b. Shared, cleared at each use.
const counts = new Uint32Array(8 * 256)

/**
 * The similarity hash of a text: each run of three words votes on all 64 bits. Punctuation, case
 * and white space do not count. A text without words gives 0.
 *
 * Votes are counted by byte, eight additions a shingle; the bits are sorted out once at the end.
 */
export function simhash(text: string): SimHash {
  const shingles = countShingles(text.toLowerCase())
  if (shingles === 0) return { low: 0, high: 0 }
  const low = majority(0, shingles) | (majority(1, shingles) << 8)
  const lowTop = (majority(2, shingles) << 16) | (majority(3, shingles) << 24)
  const high = majority(4, shingles) | (majority(5, shingles) << 8)
  const highTop = (majority(6, shingles) << 16) | (majority(7, shingles) << 24)
  return { low: (low | lowTop) >>> 0, high: (high | highTop) >>> 0 }
}

/** In how many of the 64 bits two hashes differ: 3 or less for near-duplicates, 32 for strangers. */
export function hammingDistance(a: SimHash, b: SimHash): number {
  return bitCount(a.low ^ b.low) + bitCount(a.high ^ b.high)
}

function bitCount(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555)
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333)
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

/** Leaves the votes of all shingles in `counts`; gives their number. */
function countShingles(text: string): number {
  counts.fill(0)
  let before = 0 // hash of the word before the last
  let last = 0
  let words = 0
  const length = text.length
  for (let at = 0; at < length; ) {
    let hash = 0
    let code = text.charCodeAt(at)
    if (code > 127 && isIdeograph(code)) {
      hash = code // scripts without spaces: each character is a word
      at++
    } else {
      for (; code < 128 ? IN_WORD[code] === 1 : isForeignLetter(code); code = text.charCodeAt(at)) {
        hash = (Math.imul(hash ^ code, 0x5bd1e995) + 0x9e3779b9) | 0
        if (++at >= length) break
      }
      if (hash === 0) {
        at++
        continue
      }
    }
    words++
    const word = mixed(hash)
    if (words >= 3) vote(before, last, word)
    before = last
    last = word
  }
  if (words === 1 || words === 2) vote(before, last, 0)
  return Math.max(words - 2, Math.min(words, 1))
}

function vote(first: number, second: number, third: number): void {
  const joined = (Math.imul(first, 0x85ebca6b) + Math.imul(second, 0xc2b2ae35) + third) | 0
  const low = mixed(joined)
  const high = mixed(Math.imul(joined, 0x27d4eb2f) ^ Math.imul(third, 0x165667b1) ^ second)
  counts[low & 255]++
  counts[256 + ((low >>> 8) & 255)]++
  counts[512 + ((low >>> 16) & 255)]++
  counts[768 + (low >>> 24)]++
  counts[1024 + (high & 255)]++
  counts[1280 + ((high >>> 8) & 255)]++
  counts[1536 + ((high >>> 16) & 255)]++
  counts[1792 + (high >>> 24)]++
}

/** The bits of byte `place` that most shingles have set. Folds the table in half for each bit. */
function majority(place: number, shingles: number): number {
  const start = 256 * place
  let byte = 0
  for (let half = 128, bit = 7; bit >= 0; half >>= 1, bit--) {
    let votes = 0
    for (let value = 0; value < half; value++) {
      const withBit = counts[start + half + value]
      votes += withBit
      counts[start + value] += withBit
    }
    if (2 * votes > shingles) byte |= 1 << bit
  }
  return byte
}

function mixed(word: number): number {
  let x = word | 0
  x = Math.imul(x ^ (x >>> 16), 0x85ebca6b)
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35)
  return x ^ (x >>> 16)
}

/** Han, Hiragana and Katakana of the basic plane; Hangul has spaces. */
function isIdeograph(code: number): boolean {
  return (code >= 0x3041 && code <= 0x30ff) || (code >= 0x3400 && code <= 0x9fff)
}

/** Anything beyond ASCII but the blocks of punctuation; NaN, past the end, is none. */
function isForeignLetter(code: number): boolean {
  if (!(code >= 0xc0)) return code === 0xaa || code === 0xb5 || code === 0xba
  if (code >= 0x2000 && code <= 0x206f) return false
  return !(code >= 0x3000 && code <= 0x303f) && !isIdeograph(code) && code < 0xff00
}
