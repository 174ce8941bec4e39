import { ASCII_LETTERS, IDEOGRAPH, letterOf } from './word-letters.ts'

/** 64 bits that are alike for texts that are alike; two unsigned words. */
interface SimHash {
  readonly low: number
  readonly high: number
}

/** By what the words of a text are known again. */
interface WordMarks {
  readonly simhash: SimHash
  /** The same for two texts only if they have the same words in the same order. */
  readonly fingerprint: SimHash
  readonly words: number
}

// counts[256 * i + b]: in how many shingles byte i of the hash was b. Shared, cleared at each use.
const counts = new Int32Array(8 * 256)

/**
 * The similarity hash of a text: each run of three words votes on all 64 bits. Punctuation, case
 * and white space do not count. A text without words gives 0.
 */
export function simhash(text: string): SimHash {
  return wordMarks('', text).simhash
}

/**
 * The marks of a title and a text, as of one text, all in one pass; only the words of the text
 * itself are counted.
 *
 * Votes are counted by byte, eight additions a shingle; the bits are sorted out once at the end.
 */
export function wordMarks(title: string, text: string): WordMarks {
  counts.fill(0)
  let before = 0 // hash of the word before the last
  let last = 0
  let low = 0x2545f491 // of the fingerprint
  let high = 0x1e3779b9
  let words = 0
  let titleWords = 0
  // Not joined: characters of a joined string are twice as far away.
  for (const source of [title, text]) {
    titleWords = words
    const length = source.length
    for (let at = 0; at < length; ) {
      let code = source.charCodeAt(at++)
      let letter = code < 128 ? ASCII_LETTERS[code] : letterOf(code)
      if (letter === 0) continue
      // Two hashes, since words that share one of them are met often enough.
      let word = letter
      let other = letter
      for (; at < length && letter < IDEOGRAPH; at++) {
        code = source.charCodeAt(at)
        letter = code < 128 ? ASCII_LETTERS[code] : letterOf(code)
        if (letter === 0 || letter >= IDEOGRAPH) break
        word = (Math.imul(word, 0x5bd1e995) + letter) | 0
        other = Math.imul(other ^ letter, 0x297a2d39)
      }
      words++
      low = Math.imul(low ^ word, 0x85ebca6b) ^ (low >>> 15)
      high = (Math.imul(high ^ (high >>> 13), 0xc2b2ae35) + (other ^ low)) | 0
      if (words >= 3) vote(before, last, word)
      before = last
      last = word
    }
  }
  if (words === 1 || words === 2) vote(before, last, 0)
  return {
    simhash: majorities(Math.max(words - 2, Math.min(words, 1))),
    fingerprint: { low: mixed(low ^ words) >>> 0, high: mixed(high + low) >>> 0 },
    words: words - titleWords,
  }
}

function majorities(shingles: number): SimHash {
  if (shingles === 0) return { low: 0, high: 0 }
  const low = majority(0, shingles) | (majority(1, shingles) << 8)
  const lowTop = (majority(2, shingles) << 16) | (majority(3, shingles) << 24)
  const high = majority(4, shingles) | (majority(5, shingles) << 8)
  const highTop = (majority(6, shingles) << 16) | (majority(7, shingles) << 24)
  return { low: (low | lowTop) >>> 0, high: (high | highTop) >>> 0 }
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
