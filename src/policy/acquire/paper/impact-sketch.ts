import { GainCurve } from '#search/gain/gain-curve.ts'
import { powerVisibility } from '#search/gain/visibility.ts'
import type { QueryAnswers, Worth } from '../../facts/acquisition-facts.ts'
import { TOP_K } from '../worth.ts'

/** The best answers a query would have: what is held, and pages chosen to be fetched. */
export interface ImpactSketch {
  /** What one more page with this expected score would add. */
  gainOf(score: number): number
  /** The page is chosen. Tells whether it made room, so that some other page may gain more than before. */
  take(score: number): boolean
}

/** A sketch of a query from the scores of its results now, falling. */
export function sketchOf(scores: ArrayLike<number>, worth: Worth, k = TOP_K): ImpactSketch {
  return worth === 'top' ? new TopSketch(scores, k) : new CurveSketch(scores)
}

/** The scores of a query's results, falling. */
export function heldScores({ depth, kept, scores }: QueryAnswers, query: number): Float64Array {
  return scores.subarray(query * depth, query * depth + kept[query])
}

/**
 * Counts newcomers among the first K. A page adds one if it gets in and whom it pushes out is no
 * newcomer; who only ties with a page there stays out.
 */
class TopSketch implements ImpactSketch {
  readonly #k: number
  readonly #scores: number[]
  readonly #isChosen: boolean[]
  #bar: number

  constructor(scores: ArrayLike<number>, k: number) {
    this.#k = k
    this.#scores = Array.from(scores).slice(0, k)
    this.#isChosen = this.#scores.map(() => false)
    this.#bar = this.#barNow()
  }

  gainOf(score: number): number {
    return score > this.#bar ? 1 : 0
  }

  take(score: number): boolean {
    let place = this.#scores.length
    while (place > 0 && this.#scores[place - 1] < score) place--
    if (place >= this.#k || score <= 0) return false
    this.#scores.splice(place, 0, score)
    this.#isChosen.splice(place, 0, true)
    if (this.#scores.length > this.#k) {
      this.#scores.pop()
      this.#isChosen.pop()
    }
    const before = this.#bar
    this.#bar = this.#barNow()
    return this.#bar < before
  }

  /** To be exceeded by who wants to add one; nobody can while the last place is a newcomer's. */
  #barNow(): number {
    if (this.#scores.length < this.#k) return 0
    return this.#isChosen[this.#k - 1] ? Number.POSITIVE_INFINITY : this.#scores[this.#k - 1]
  }
}

/** Results beyond these are hardly seen. */
const CURVE_DEPTH = 31

/** Measures what a page adds to the quality of the answers; never more than before others were chosen. */
class CurveSketch implements ImpactSketch {
  readonly #scores: number[]
  #curve: GainCurve | undefined

  constructor(scores: ArrayLike<number>) {
    this.#scores = Array.from(scores).slice(0, CURVE_DEPTH)
  }

  gainOf(score: number): number {
    this.#curve ??= GainCurve.from(this.#scores, powerVisibility)
    return this.#curve.value(score)
  }

  take(score: number): boolean {
    let place = this.#scores.length
    while (place > 0 && this.#scores[place - 1] < score) place--
    if (place >= CURVE_DEPTH || score <= 0) return false
    this.#scores.splice(place, 0, score)
    this.#scores.length = Math.min(this.#scores.length, CURVE_DEPTH)
    this.#curve = undefined
    return false
  }
}

/**
 * What each of the pages not fetched is worth to a query when all of them compete with its results for
 * its places at once. Under `top` that is 1 for those among the first K, results first among equals.
 *
 * @paper PandeyOlston2008 §5.1 — T of Eq. 1; under `gain` in units of score, as gain curves have it.
 */
export function worthsTogether(
  held: ArrayLike<number>,
  expected: Float64Array,
  worth: Worth,
  k = TOP_K,
): Float64Array {
  const order = Uint32Array.from(expected.keys()).sort((a, b) => expected[b] - expected[a] || a - b)
  const depth = worth === 'top' ? k : CURVE_DEPTH
  const worths = new Float64Array(expected.length)
  const scores: number[] = []
  const pages: number[] = [] // −1 for a result
  for (let next = 0, place = 0; scores.length < depth; ) {
    const score = place < order.length ? expected[order[place]] : 0
    const isHeld = next < held.length && held[next] >= score
    if (!isHeld && score <= 0) break
    scores.push(isHeld ? held[next++] : score)
    pages.push(isHeld ? -1 : order[place++])
  }
  let sum = 0
  for (let i = scores.length - 1; i >= 0; i--) {
    sum += powerVisibility(i + 1) * (scores[i] - (scores[i + 1] ?? 0))
    if (pages[i] >= 0) worths[pages[i]] = worth === 'top' ? 1 : sum
  }
  return worths
}
