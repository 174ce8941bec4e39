import type { Result } from '../full-text/best-results.ts'
import type { Scoring } from '../full-text/scoring.ts'
import type { TextIndex } from '../full-text/text-index.ts'
import { GainCurve, growingRanks } from './gain-curve.ts'
import type { Visibility } from './visibility.ts'

/** A query that is watched, and how often people ask it relative to the others. */
export interface TrackedQuery {
  readonly text: string
  readonly weight: number
}

interface SketchOptions {
  readonly scoring: Scoring
  readonly visibility: Visibility
  /** Results looked at for each query; 1,000 if left out. */
  readonly depth?: number
}

/** What is kept of a query's results: some 20 scores, however many there are. */
interface Sketch {
  readonly resultCount: number
  readonly scores: Float64Array
  readonly curve: GainCurve
  readonly top: readonly Result[]
}

const DEFAULT_DEPTH = 1_000
/** The results of which also the pages are kept. */
const TOP = 10

/**
 * How well each tracked query is answered now, and so what a score would be worth to it. Scores are those
 * that search gives. Curves are exact at the knots, but for one thing: results beyond the depth count as if
 * they tied at the rank after it, which adds to every value the same, at most score(depth) · I(depth + 1).
 */
export class QuerySketches {
  readonly queries: readonly TrackedQuery[]
  /** By query: of all times that tracked queries are asked, the share that asks this one. Gains are weighed by it. */
  readonly shares: Float64Array
  readonly scoring: Scoring
  readonly #visibility: Visibility
  readonly #depth: number
  readonly #empty: Sketch
  readonly #sketches: Sketch[]
  #seen: { readonly index: TextIndex; readonly version: number } | undefined

  constructor(queries: readonly TrackedQuery[], options: SketchOptions) {
    const { scoring, visibility, depth = DEFAULT_DEPTH } = options
    this.queries = queries
    this.shares = sharesOf(queries)
    this.scoring = scoring
    this.#visibility = tabulated(visibility, depth + 1)
    this.#depth = depth
    this.#empty = this.#sketchOf(new Float64Array(), [])
    this.#sketches = queries.map(() => this.#empty)
  }

  /**
   * Brings the sketches up to date with an index. Every score rests on the whole corpus, so once the index
   * has changed all queries are asked anew, but for those of whose words it has none.
   */
  refresh(index: TextIndex): void {
    if (this.#seen?.index === index && this.#seen.version === index.version) return
    const statistics = index.statistics()
    this.queries.forEach(({ text }, query) => {
      const prepared = index.prepare(text, this.scoring, statistics)
      if (prepared.terms.length === 0) {
        this.#sketches[query] = this.#empty
        return
      }
      const best = index.best(prepared, this.#depth)
      const scores = best.scores()
      this.#sketches[query] = this.#sketchOf(scores, best.first(TOP, scores))
    })
    this.#seen = { index, version: index.version }
  }

  /** What a score is worth to a query: `gain` for other pages, `gainOfResult` for its results. */
  curveOf(query: number): GainCurve {
    return this.#sketches[query].curve
  }

  /** The scores of a query's results at `growingRanks(resultCountOf(query))`. */
  scoresOf(query: number): Float64Array {
    return this.#sketches[query].scores
  }

  /** How many results a query has, counted up to the depth. */
  resultCountOf(query: number): number {
    return this.#sketches[query].resultCount
  }

  /** A query's best ten results, best first. */
  topOf(query: number): readonly Result[] {
    return this.#sketches[query].top
  }

  #sketchOf(scores: Float64Array, top: readonly Result[]): Sketch {
    const ranks = growingRanks(scores.length)
    return {
      resultCount: scores.length,
      scores: Float64Array.from(ranks, (rank) => scores[rank - 1]),
      curve: GainCurve.from(scores, this.#visibility, ranks),
      top,
    }
  }
}

/** How often each query is asked, of all the times that any is. */
export function sharesOf(queries: readonly Pick<TrackedQuery, 'weight'>[]): Float64Array {
  const total = queries.reduce((sum, { weight }) => sum + weight, 0)
  return Float64Array.from(queries, ({ weight }) => (total > 0 ? weight / total : 0))
}

/** The same up to a rank, without computing a power each time. */
function tabulated(visibility: Visibility, lastRank: number): Visibility {
  const byRank = Float64Array.from({ length: lastRank + 1 }, (_, rank) =>
    rank === 0 ? Number.NaN : visibility(rank),
  )
  return (rank) => byRank[rank]
}
