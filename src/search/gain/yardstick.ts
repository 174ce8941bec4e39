import type { Scoring } from '../full-text/scoring.ts'
import type { QueryWords, TextIndex } from '../full-text/text-index.ts'
import { gainInList } from './gain-in-list.ts'
import { CURVE_DEPTH, KeptCurves, type WorthCurve } from './kept-curves.ts'
import { RankCurve } from './rank-curve.ts'
import { sharesOf, type TrackedQuery } from './top-answers.ts'
import { powerVisibility } from './visibility.ts'

/** What gains are measured by: queries, how often each is asked, and what a better score is worth to each. */
export interface Yardstick {
  /** The numbers of each query's terms, by word. */
  readonly queries: readonly QueryWords[]
  /** By query: of all the times that any is asked. */
  readonly shares: Float64Array
  readonly scoring: Scoring
  /** Takes notice of the index as it is now, where each query's terms count so much together. */
  refresh(weights: Float64Array): void
  curveOf(query: number): WorthCurve
  /** Is told how a page's score for a query changed. */
  follow?(query: number, url: number, oldScore: number, newScore: number): void
}

/** What searchers see of each rank, without computing a power each time. */
const VISIBILITIES = Float64Array.from({ length: 2 * CURVE_DEPTH + 2 }, (_, rank) =>
  powerVisibility(rank),
)

/** Whole queries, exactly by their best results: the default. */
export function wholeQueries(
  index: TextIndex,
  tracked: readonly TrackedQuery[],
  scoring: Scoring,
): Yardstick {
  const queries = tracked.map(({ text }) => index.queryWords(text))
  const curveThrough = (scores: Float64Array) => ({
    gainOfResult: (stored: number, truth: number, place: number) =>
      gainInList(scores, VISIBILITIES, stored, truth, place),
  })
  return byKeptCurves(index, queries, sharesOf(tracked), scoring, curveThrough)
}

/**
 * Single terms, each asked as often as all queries that have it, by curves of three pieces: for comparison.
 * Shares are of all times that queries are asked, so they sum to the terms of a query.
 *
 * @paper PandeyOlston2005 §5.1.1 — with `RankCurve`'s corrections.
 */
export function singleTerms(
  index: TextIndex,
  tracked: readonly TrackedQuery[],
  scoring: Scoring,
): Yardstick {
  // Words are the same if their first form is.
  const wordsOf = new Map<number, { forms: readonly number[]; share: number }>()
  sharesOf(tracked).forEach((share, query) => {
    for (const forms of index.queryWords(tracked[query].text))
      wordsOf.set(forms[0], { forms, share: (wordsOf.get(forms[0])?.share ?? 0) + share })
  })
  const words = [...wordsOf.values()]
  const terms = words.map(({ forms }) => [forms])
  const shares = Float64Array.from(words, ({ share }) => share)
  return byKeptCurves(index, terms, shares, scoring, (scores) =>
    neverNegative(new RankCurve(scores)),
  )
}

function byKeptCurves(
  index: TextIndex,
  queries: readonly QueryWords[],
  shares: Float64Array,
  scoring: Scoring,
  curveThrough: ConstructorParameters<typeof KeptCurves>[3],
): Yardstick {
  const curves = new KeptCurves(index, queries, scoring, curveThrough)
  return {
    ...{ queries, shares, scoring },
    refresh: (weights) => curves.refresh(weights),
    curveOf: (query) => curves.curveOf(query),
    follow: (...change) => curves.follow(...change),
  }
}

/** Approximate as it is, a curve may say that a correction did harm. */
function neverNegative(curve: RankCurve): Pick<RankCurve, 'gainOfResult'> {
  return { gainOfResult: (stored, truth) => Math.max(0, curve.gainOfResult(stored, truth)) }
}
