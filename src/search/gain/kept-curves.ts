import type { Scoring } from '../full-text/scoring.ts'
import type { QueryWords, TextIndex } from '../full-text/text-index.ts'
import { BestScores } from './best-scores.ts'

/** What scores are worth to a query. */
export interface WorthCurve {
  /** Scores below this are beyond all results that are looked at; none are, if it is not said. */
  readonly floor?: number
  /** The quality gained when a page of the index (or none of it, if 0 is stored) deserves another score. */
  gainOfResult(storedScore: number, trueScore: number, url: number): number
}
/** Makes a curve of a query's falling scores; where one of a page is among them may be said. */
type CurveMaker = (scores: Float64Array) => {
  gainOfResult(storedScore: number, trueScore: number, place: number): number
}

/** So many results of a query are looked at: those beyond get less than a thousandth of the attention. */
export const CURVE_DEPTH = 128
/** A query is asked again when its terms count this much more or less than when it was asked last, */
const MOST_DRIFT = 0.1
/** or when pages came and went so many times as often as there are pages. */
const MOST_TURNOVER = 8

/** A query's curve since it was last asked, in the scores of that time. */
class KeptCurve implements WorthCurve {
  readonly #best: BestScores
  readonly #weight: number
  readonly #version: number
  /** What scores of today are to be multiplied by. */
  #factor = 1
  /** Undefined if scores changed since it was made. */
  #curve: ReturnType<CurveMaker> | undefined
  readonly #curveThrough: CurveMaker

  /** From a query's best scores, where its terms count so much together, in this version of the index. */
  constructor(best: BestScores, weight: number, version: number, curveThrough: CurveMaker) {
    this.#best = best
    this.#weight = weight
    this.#version = version
    this.#curveThrough = curveThrough
  }

  /** Whether it still holds where the query's terms count so much, in this version of the index. */
  holds(weight: number, version: number, mostChanges: number): boolean {
    this.#factor = this.#weight / weight
    return (
      Math.abs(weight - this.#weight) <= MOST_DRIFT * this.#weight &&
      version - this.#version <= mostChanges &&
      !this.#best.isWorn
    )
  }

  get floor(): number {
    return this.#best.floor / this.#factor
  }

  gainOfResult(storedScore: number, trueScore: number, url: number): number {
    const best = this.#best
    this.#curve ??= this.#curveThrough(best.scores)
    const expected = storedScore * this.#factor
    const place = best.placeOf(url, expected)
    // A stored score must be found among the results, or the page would compete with itself.
    const stored = place < 0 ? expected : best.scoreAt(place)
    const factor = storedScore > 0 ? stored / storedScore : this.#factor
    return this.#curve.gainOfResult(stored, trueScore * factor, place) / factor
  }

  change(url: number, oldScore: number, newScore: number): void {
    if (this.#best.change(url, oldScore * this.#factor, newScore * this.#factor))
      this.#curve = undefined
  }
}

/**
 * The curves that gains are measured by, kept up to date by what is measured: whoever replaces a page says how its
 * scores change, and so queries need not be asked again. Only how much words count changes unseen. That is taken
 * into account as a factor until it has changed a lot.
 *
 * @paper PandeyOlston2005 §5.1.2 — "these functions need only be updated periodically"; here with every page.
 */
export class KeptCurves {
  readonly #index: TextIndex
  readonly #queries: readonly QueryWords[]
  readonly #scoring: Scoring
  readonly #curveThrough: CurveMaker
  readonly #curves: KeptCurve[] = []

  /** For queries as numbers of their terms by word. */
  constructor(
    index: TextIndex,
    queries: readonly QueryWords[],
    scoring: Scoring,
    curveThrough: CurveMaker,
  ) {
    this.#index = index
    this.#queries = queries
    this.#scoring = scoring
    this.#curveThrough = curveThrough
  }

  /** Takes notice of the index as it is now, where each query's terms count so much together. */
  refresh(weights: Float64Array): void {
    const { version, size } = this.#index
    for (let query = 0; query < this.#queries.length; query++)
      if (!this.#curves[query]?.holds(weights[query], version, MOST_TURNOVER * size))
        this.#curves[query] = this.#ask(query, weights[query])
  }

  #ask(query: number, weight: number): KeptCurve {
    const index = this.#index
    const prepared = index.prepareWords(this.#queries[query], this.#scoring)
    const best = new BestScores(index.search(prepared, CURVE_DEPTH), CURVE_DEPTH)
    return new KeptCurve(best, weight, index.version, this.#curveThrough)
  }

  curveOf(query: number): WorthCurve {
    return this.#curves[query]
  }

  /** A page's score for a query changed. */
  follow(query: number, url: number, oldScore: number, newScore: number): void {
    this.#curves[query].change(url, oldScore, newScore)
  }
}
