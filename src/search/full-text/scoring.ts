import { type ByField, countIn, FIELDS, type PackedCounts } from './fields.ts'

/** What a scoring function knows of the whole corpus; frozen while scores are compared. */
export interface CorpusStatistics {
  readonly pages: number
  readonly averageLengths: ByField<number>
}

/** The same, by how many terms all pages have in each field. */
export function corpusStatistics(pages: number, lengths: ArrayLike<number>): CorpusStatistics {
  const average = (field: number) => Math.max(1, lengths[field] / Math.max(1, pages))
  return { pages, averageLengths: [average(0), average(1), average(2), average(3)] }
}

/**
 * How well a page answers a query: prior(page) · coverage · Σ over the query's terms of what each
 * earns. One shape for all scoring functions, so that search, sketches and measuring cannot disagree.
 */
export interface Scoring {
  /** How much a term counts that so many pages have, in a query of so many terms. */
  weight(pagesWithTerm: number, statistics: CorpusStatistics, termCount: number): number
  /** What a page earns by one term. */
  part(
    weight: number,
    counts: PackedCounts,
    lengths: Uint32Array,
    at: number,
    statistics: CorpusStatistics,
  ): number
  /** No page earns more by a term of this weight. */
  bound(weight: number): number
  /**
   * What is left of the sum when only a share of the query's weight is matched; 1 for all of it,
   * never rising as the share falls. 0 for less than all makes a scoring conjunctive.
   */
  coverage(share: number): number
  /** A factor for the page itself; 1 if left out. */
  readonly prior?: { readonly of: (url: number) => number; readonly most: number }
}

const BODY = FIELDS.indexOf('body')
/** The counts of all fields but this last one. */
const BESIDE_BODY = 2 ** (8 * BODY) - 1

/** Zero unless every word occurs: the papers' setting. */
export const conjunctive = (share: number): number => (share >= 1 - 1e-9 ? 1 : 0)

/** Pages that miss a word follow far behind those that have them all. */
export function soft(exponent: number): (share: number) => number {
  // A power of 1 is left out: it takes a sixth of a search's time.
  if (exponent === 1) return (share) => (share >= 1 - 1e-9 ? 1 : share)
  return (share) => (share >= 1 - 1e-9 ? 1 : share ** exponent)
}

export interface Bm25Options {
  readonly k1: number
  readonly fieldWeights: ByField<number>
  /** 0 ignores a field's length, 1 divides by it. */
  readonly lengthShares: ByField<number>
  readonly coverage: Scoring['coverage']
  readonly prior?: Scoring['prior']
}

/**
 * BM25 over weighted fields: counts of the fields are added up, each normalised by its length,
 * before they saturate.
 *
 * @paper RobertsonZaragozaTaylor2004 — with the idf of BM25 that never falls below zero.
 */
export function bm25(options: Bm25Options): Scoring {
  const { k1, fieldWeights, lengthShares } = options
  return {
    weight: (pagesWithTerm, { pages }) =>
      Math.log(1 + (pages - pagesWithTerm + 0.5) / (pagesWithTerm + 0.5)),
    part: (weight, counts, lengths, at, { averageLengths }) => {
      let count = 0
      // Most words stand in the body alone.
      for (let field = (counts & BESIDE_BODY) === 0 ? BODY : 0; field < FIELDS.length; field++) {
        const inField = countIn(counts, field)
        if (inField === 0) continue
        const share = lengthShares[field]
        count +=
          (fieldWeights[field] * inField) /
          (1 - share + (share * lengths[at + field]) / averageLengths[field])
      }
      return (weight * (k1 + 1) * count) / (k1 + count)
    },
    bound: (weight) => weight * (k1 + 1),
    coverage: options.coverage,
    prior: options.prior,
  }
}

/**
 * TF-IDF as Lucene had it in 2005, over all fields together: Σ √tf · idf² / √length.
 *
 * @paper PandeyOlston2005 §6.1.3 — fields are added up, as their pages had only one.
 */
export function tfIdf(coverage: Scoring['coverage'] = conjunctive): Scoring {
  return {
    weight: (pagesWithTerm, { pages }) => (1 + Math.log(pages / (pagesWithTerm + 1))) ** 2,
    part: (weight, counts, lengths, at) => {
      let count = 0
      let length = 0
      for (let field = 0; field < FIELDS.length; field++) {
        count += countIn(counts, field)
        length += lengths[at + field]
      }
      return weight * Math.sqrt(count / length)
    },
    bound: (weight) => weight,
    coverage,
  }
}
