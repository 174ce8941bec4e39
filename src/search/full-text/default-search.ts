import { type Analyser, analyserByLanguage } from '../text/analysis.ts'
import { type Bm25Options, bm25, conjunctive, type Scoring, soft, tfIdf } from './scoring.ts'

/** Endings are taken off: people ask in the singular for pages that speak in the plural. */
export const defaultAnalyser: Analyser = analyserByLanguage()

/**
 * The default scoring: BM25 in which a title weighs far more than a word of the text. A page
 * that misses words keeps the share of its score that its words are worth. Weights were set on
 * one archive of encyclopaedia articles with questions (docs/results/search.md) and reported on
 * others.
 */
const DEFAULTS: Bm25Options = {
  k1: 8,
  fieldWeights: [40, 16, 8, 1],
  lengthShares: [0.5, 0.7, 0.5, 0.75],
  coverage: soft(1),
}

export const defaultScoring: Scoring = bm25(DEFAULTS)

/** The same by what a page says itself, whatever links call it. */
export const ownWordsScoring: Scoring = bm25({
  ...DEFAULTS,
  fieldWeights: [DEFAULTS.fieldWeights[0], 0, DEFAULTS.fieldWeights[2], DEFAULTS.fieldWeights[3]],
})

/** Scoring functions by name, to compare. */
export const SCORINGS: Readonly<Record<string, Scoring>> = {
  default: defaultScoring,
  conjunctive: bm25({ ...DEFAULTS, coverage: conjunctive }),
  'classic-bm25': bm25({ ...DEFAULTS, k1: 1.2, fieldWeights: [4, 2, 1, 1] }),
  'tf-idf': tfIdf(),
}
