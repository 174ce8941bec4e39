import { WHOLE } from './findings.ts'
import type { QueryGrams } from './query-ngrams.ts'
import type { CountedGram, MatchRule } from './rule.ts'

/** How many texts there are, and how many hold an n-gram. */
export interface TextCounts {
  readonly texts: number
  textsWith(gram: number): number
}

/**
 * A query made ready for looking at texts: each of its n-grams has a slot, content words first. What is
 * found in a text or of a URL is a set of slots, as bits in 32-bit words.
 */
export class PreparedQuery {
  readonly grams: Uint32Array
  readonly stride: number
  readonly #wordCount: number
  readonly #weights: Float64Array // of the content words; they sum to 1
  readonly #isNgram: Uint32Array
  readonly #ngramCount: number
  readonly #counts: TextCounts

  constructor({ words, ngrams }: QueryGrams, counts: TextCounts) {
    this.grams = Uint32Array.from(new Set([...words, ...ngrams]))
    this.stride = Math.max(1, (this.grams.length + 31) >> 5)
    this.#counts = counts
    this.#wordCount = words.length
    const idf = Float64Array.from(words, (word) => rarity(counts.textsWith(word), counts.texts))
    const total = idf.reduce((sum, weight) => sum + weight, 0)
    this.#weights = idf.map((weight) => weight / total)
    this.#isNgram = new Uint32Array(this.stride)
    this.#ngramCount = ngrams.length
    const ngramSet = new Set(ngrams)
    this.grams.forEach((gram, slot) => {
      if (ngramSet.has(gram)) this.#isNgram[slot >> 5] |= 1 << (slot & 31)
    })
  }

  /**
   * The weights that a rule counts of this query. A word that no text has is the rarest of all,
   * but separates no URLs; counted, it would keep the other words from being enough.
   */
  counted({ counts }: MatchRule): CountedGram[] {
    const counted: CountedGram[] = []
    this.grams.forEach((gram, slot) => {
      const texts = this.#counts.textsWith(gram)
      const isCounted =
        counts === 'words' ? slot < this.#wordCount && texts > 0 : hasSlot(this.#isNgram, 0, slot)
      const weight = counts === 'words' ? this.#weights[slot] : 1
      if (isCounted) counted.push({ gram, weight, texts })
    })
    return counted
  }

  /** The weight that a rule sees in the slots found. */
  weightOf({ counts }: MatchRule, found: Uint32Array, at: number): number {
    return counts === 'words' ? this.coverageOf(found, at) : this.#ngramsOf(found, at)
  }

  /** The share of the content words found, the rarer the weightier. */
  coverageOf(found: Uint32Array, at: number): number {
    let sum = 0
    for (let slot = 0; slot < this.#wordCount; slot++)
      if (((found[at + (slot >> 5)] >>> (slot & 31)) & 1) === 1) sum += this.#weights[slot]
    return sum
  }

  /** The same as a whole number of units. */
  shareOf(found: Uint32Array, at: number): number {
    return Math.round(this.coverageOf(found, at) * WHOLE)
  }

  /** How many content words were found. */
  wordsOf(found: Uint32Array, at: number): number {
    let count = 0
    for (let slot = 0; slot < this.#wordCount; slot++)
      count += (found[at + (slot >> 5)] >>> (slot & 31)) & 1
    return count
  }

  /** The share of the n-grams found. */
  ngramShareOf(found: Uint32Array, at: number): number {
    return this.#ngramCount === 0 ? 0 : this.#ngramsOf(found, at) / this.#ngramCount
  }

  #ngramsOf(found: Uint32Array, at: number): number {
    let count = 0
    for (let word = 0; word < this.stride; word++)
      count += bitCount(found[at + word] & this.#isNgram[word])
    return count
  }
}

/** The idf of BM25, over the texts that speak of URLs: addresses and (anchor, URL) pairs. Above 0. */
function rarity(textsWith: number, texts: number): number {
  return Math.log(1 + (texts - textsWith + 0.5) / (textsWith + 0.5))
}

function hasSlot(bits: Uint32Array, at: number, slot: number): boolean {
  return ((bits[at + (slot >> 5)] >>> (slot & 31)) & 1) === 1
}

function bitCount(word: number): number {
  let x = word - ((word >>> 1) & 0x55555555)
  x = (x & 0x33333333) + ((x >>> 2) & 0x33333333)
  return Math.imul((x + (x >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
