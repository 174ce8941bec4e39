import type { Random } from '#numeric/random.ts'
import { inventWords } from './names.ts'

/** English glue, so that text looks natural and stop words behave like stop words. */
export const FUNCTION_WORDS =
  'the of and to in a is that for it as was with be by on not he his but at are this have from or had an they which you were their one all we can her has there been if more when will would who so no'.split(
    ' ',
  )

/** Quantiles of a word distribution: a draw is one array access. */
export type WordTable = Uint32Array

export interface Vocabulary {
  /** Function words first, then invented ones, by falling frequency. */
  readonly words: readonly string[]
  readonly functionWords: WordTable
  /** Words of no topic in particular. */
  readonly background: WordTable
}

/** The words of the model web, with Zipf frequencies. */
export function makeVocabulary(random: Random, pages: number): Vocabulary {
  const invented = Math.min(60_000, 6000 + Math.round(pages / 2))
  const words = [...FUNCTION_WORDS, ...inventWords(random, invented, new Set(FUNCTION_WORDS))]
  const glue = Uint32Array.from(FUNCTION_WORDS, (_, word) => word)
  const others = Uint32Array.from({ length: invented }, (_, rank) => FUNCTION_WORDS.length + rank)
  return {
    words,
    functionWords: zipfTable(glue, 0.9, 512),
    background: zipfTable(others, 1, 65_536),
  }
}

/** A table of `size` entries in which the r-th of `items` has a share in proportion to 1/(r+2)^exponent. */
export function zipfTable(items: Uint32Array, exponent: number, size: number): WordTable {
  const table = new Uint32Array(size)
  let total = 0
  for (let rank = 0; rank < items.length; rank++) total += (rank + 2) ** -exponent
  let rank = 0
  let reached = 2 ** -exponent / total
  for (let slot = 0; slot < size; slot++) {
    while ((slot + 0.5) / size > reached && rank < items.length - 1) {
      rank++
      reached += (rank + 2) ** -exponent / total
    }
    table[slot] = items[rank]
  }
  return table
}

/** One word of a table. */
export const drawWord = (table: WordTable, next: () => number): number =>
  table[Math.floor(next() * table.length)]
