import { type Analyser, analyser } from './analysis.ts'
import { bm25, type Scoring, soft } from './scoring.ts'

/** English endings are taken off: people ask in the singular for pages that speak in the plural. */
export const defaultAnalyser: Analyser = analyser({ stemming: true })

/**
 * BM25 in which a title weighs far more than a word of the text, and a page that misses words keeps the
 * share of its score that the words it has are worth. Weights were set on one archive of encyclopaedia
 * articles with questions (docs/results/search.md) and reported on others.
 */
export const defaultScoring: Scoring = bm25({
  k1: 8,
  fieldWeights: [40, 16, 8, 1],
  lengthShares: [0.5, 0.7, 0.5, 0.75],
  coverage: soft(1),
})
