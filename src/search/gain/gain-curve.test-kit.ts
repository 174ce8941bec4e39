import type { Visibility } from './visibility.ts'

/**
 * What a page with a given score is worth to a query, given the scores of the other results:
 * G(s) = ∫₀ˢ I(R(x)) dx. R(x) is the rank that a score x would take. G is convex and increasing,
 * so the gain of a correction, G(true) − G(stored) − I(R(stored)) · (true − stored), is never
 * negative. It is exactly the change in the query's quality when a page enters, changes or goes.
 *
 * Between two knots G is a straight line. The table has five rows and a column a knot: falling
 * scores, the values there, and the slopes just below. Values and slopes follow once more for a
 * page that is itself one of the results, up to its own score. `gainInList` finds single gains
 * without a curve; this is what tests compare it with.
 */
export class GainCurve {
  readonly #count: number
  readonly #table: Float64Array
  readonly #topSlope: number

  private constructor(table: Float64Array, topSlope: number) {
    this.#count = table.length / 5
    this.#table = table
    this.#topSlope = topSlope
  }

  /** The curve for the scores of a query's results, falling; those of 0 are no results. */
  static from(scores: ArrayLike<number>, visibility: Visibility): GainCurve {
    const count = countPositive(scores)
    const table = new Float64Array(5 * count)
    for (let knot = 0; knot < count; knot++) table[knot] = scores[knot]
    // A score between those of ranks r and r + 1 takes rank r + 1; without one of those above it, r.
    drawLine(table, 1, (rank) => visibility(rank + 1))
    drawLine(table, 3, visibility)
    return new GainCurve(table, visibility(1))
  }

  /** G(s): what a page with this score adds to the query's quality by being held. */
  value(score: number): number {
    return this.#valueAt(this.#knotAtOrAbove(score), score)
  }

  /** I(R(s)): how visible a page with this score is; 0 for a page that is no result. */
  visibility(score: number): number {
    if (score <= 0) return 0
    const knot = this.#knotAtOrAbove(score)
    return knot < 0 ? this.#topSlope : this.#table[2 * this.#count + knot]
  }

  /** The quality gained when a page stored with one score is found to deserve another. */
  gain(storedScore: number, trueScore: number): number {
    if (storedScore <= 0) return this.value(trueScore)
    const error = trueScore - storedScore
    return this.value(trueScore) - this.value(storedScore) - this.visibility(storedScore) * error
  }

  /** The same for a page that is one of the results the curve was made of, with its stored score. */
  gainOfResult(storedScore: number, trueScore: number): number {
    if (storedScore <= 0) return this.value(trueScore)
    const knot = this.#knotAtOrAbove(storedScore)
    if (knot < 0) return this.gain(storedScore, trueScore)
    if (this.#liesBelow(knot, trueScore)) return 0 // no result in between
    const trueKnot = this.#knotAtOrAbove(trueScore)
    const change =
      trueScore > storedScore
        ? this.#valueAt(trueKnot, trueScore) - this.#valueAt(knot, storedScore)
        : this.#valueBelow(trueKnot, trueScore, 3) - this.#valueBelow(knot, storedScore, 3)
    // Less than nothing is rounding.
    return Math.max(0, change - this.#table[4 * this.#count + knot] * (trueScore - storedScore))
  }

  #valueAt(knot: number, score: number): number {
    if (knot >= 0) return this.#valueBelow(knot, score, 1)
    if (this.#count === 0) return score * this.#topSlope
    return this.#table[this.#count] + (score - this.#table[0]) * this.#topSlope
  }

  /** On the line whose values are in this row of the table, and slopes in the next. */
  #valueBelow(knot: number, score: number, row: 1 | 3): number {
    const table = this.#table
    const value = row * this.#count + knot
    return table[value] - (table[knot] - score) * table[value + this.#count]
  }

  /** Whether a knot is the last whose score is at least this one: most changes are small, and need no search. */
  #liesBelow(knot: number, score: number): boolean {
    const table = this.#table
    return table[knot] >= score && (knot + 1 === this.#count || table[knot + 1] < score)
  }

  /** The last knot whose score is at least this one, or -1. */
  #knotAtOrAbove(score: number): number {
    const table = this.#table
    let low = -1
    let high = this.#count - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (table[middle] >= score) low = middle
      else high = middle - 1
    }
    return low
  }
}

/**
 * Draws the line from the origin whose slope just below the score of each rank is given: its values into a row of
 * the table, its slopes into the next.
 */
function drawLine(table: Float64Array, row: 1 | 3, slopeBelow: (rank: number) => number): void {
  const count = table.length / 5
  const values = row * count
  let value = 0
  let below = 0
  for (let knot = count - 1; knot >= 0; knot--) {
    const slope = slopeBelow(knot + 1)
    value += (table[knot] - below) * slope
    below = table[knot]
    table[values + knot] = value
    table[values + count + knot] = slope
  }
}

function countPositive(scores: ArrayLike<number>): number {
  let count = 0
  while (count < scores.length && scores[count] > 0) count++
  return count
}
