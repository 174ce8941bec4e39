import type { Scoring } from '../full-text/scoring.ts'
import type { TextIndex } from '../full-text/text-index.ts'
import { type QuerySketches, sharesOf, type TrackedQuery } from './query-sketches.ts'
import { RankCurve } from './rank-curve.ts'

/** What gains are measured by: queries, how often each is asked, and what a better score is worth to each. */
export interface Yardstick {
  /** The numbers of each query's terms. */
  readonly queries: readonly (readonly number[])[]
  /** By query: of all the times that any is asked. */
  readonly shares: Float64Array
  readonly scoring: Scoring
  /** Looks at the index as it is now. */
  refresh(): void
  curveOf(query: number): WorthCurve
}

/** What scores are worth to a query. */
export interface WorthCurve {
  /** The quality gained when a page of the index (or none of it, if 0 is stored) deserves another score. */
  gainOfResult(storedScore: number, trueScore: number): number
}

/** Whole queries, by their gain curves: the default. */
export function wholeQueries(index: TextIndex, sketches: QuerySketches): Yardstick {
  return {
    queries: sketches.queries.map(({ text }) => index.queryTerms(text)),
    shares: sketches.shares,
    scoring: sketches.scoring,
    refresh: () => sketches.refresh(index),
    curveOf: (query) => sketches.curveOf(query),
  }
}

/**
 * Single terms, each asked as often as all queries that have it, by curves of three pieces: for comparison.
 * Shares are of all times that queries are asked, so they sum to the terms of a query.
 *
 * @paper PandeyOlston2005 §5.1 — with `RankCurve`'s corrections; the curves are renewed with every cycle.
 */
export function singleTerms(
  index: TextIndex,
  queries: readonly TrackedQuery[],
  scoring: Scoring,
): Yardstick {
  const shareOf = new Map<number, number>()
  sharesOf(queries).forEach((share, query) => {
    for (const term of index.queryTerms(queries[query].text))
      shareOf.set(term, (shareOf.get(term) ?? 0) + share)
  })
  const terms = [...shareOf.keys()].map((term) => [term])
  const ofTerms = byRankCurves(index, terms, scoring)
  return { ...ofTerms, shares: Float64Array.from(shareOf.values()) }
}

/** Queries by curves of three pieces. */
function byRankCurves(
  index: TextIndex,
  queries: readonly (readonly number[])[],
  scoring: Scoring,
): Omit<Yardstick, 'shares'> {
  let curves: WorthCurve[] = []
  return {
    queries,
    scoring,
    refresh: () => {
      const statistics = index.statistics()
      curves = queries.map((terms) => {
        const prepared = index.prepareTerms(terms, scoring, statistics)
        return neverNegative(new RankCurve(index.best(prepared, index.size).scores()))
      })
    },
    curveOf: (query) => curves[query],
  }
}

/** Approximate as it is, a curve may say that a correction did harm. */
function neverNegative(curve: WorthCurve): WorthCurve {
  return { gainOfResult: (stored, truth) => Math.max(0, curve.gainOfResult(stored, truth)) }
}
