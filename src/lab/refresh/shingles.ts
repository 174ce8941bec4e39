import { hash64, lastHash64, mixHash } from '#numeric/hash.ts'
import { tokenize } from '#parse/text/tokens.ts'

/** Words of a shingle. */
const WORDS = 10

/**
 * The distinct shingles of a text, rising: hashes of every ten words in a row, 53 bits each, so that they
 * are exact numbers. A shorter text is one shingle; one without words has none.
 */
export function shinglesOf(text: string): Float64Array {
  const words = tokenize(text).map((word) => {
    hash64(word)
    return [lastHash64[0], lastHash64[1]]
  })
  if (words.length === 0) return new Float64Array()
  const count = Math.max(1, words.length - WORDS + 1)
  const hashes = new Float64Array(count)
  for (let first = 0; first < count; first++) {
    let low = 0
    let high = 0
    const end = Math.min(words.length, first + WORDS)
    for (let word = first; word < end; word++) {
      low = mixHash(low, words[word][0])
      high = mixHash(high, words[word][1])
    }
    hashes[first] = (high & 0x1fffff) * 0x100000000 + low
  }
  return distinct(hashes.sort())
}

/**
 * Which share of two texts' shingles is in one of them only: 0 for the same, 1 for nothing in common.
 *
 * @paper PandeyOlston2005 §6.1.1 — as the Jaccard distance; they do not say of which set the share is taken.
 */
export function changeShare(a: Float64Array, b: Float64Array): number {
  let shared = 0
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if (a[i] === b[j]) {
      shared++
      i++
      j++
    } else if (a[i] < b[j]) i++
    else j++
  }
  const all = a.length + b.length - shared
  return all === 0 ? 0 : 1 - shared / all
}

function distinct(sorted: Float64Array): Float64Array {
  let kept = 0
  for (let i = 0; i < sorted.length; i++)
    if (i === 0 || sorted[i] !== sorted[i - 1]) sorted[kept++] = sorted[i]
  return sorted.slice(0, kept)
}
