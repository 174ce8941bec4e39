import type { Visibility } from './visibility.ts'

/**
 * What a page with a given score is worth to a query, given the scores of the other results:
 * G(s) = ∫₀ˢ I(R(x)) dx, where R(x) is the rank a score x would take. Convex and increasing, so the
 * gain of a correction, G(true) − G(stored) − I(R(stored)) · (true − stored), is never negative: it is
 * the change in the query's quality, exactly, when a page enters, changes or goes.
 *
 * knotScores fall; knotValues[k] = G(knotScores[k]); slopes[k] holds just below knot k, topSlope above the
 * first. Between two knots G is a straight line.
 */
export class GainCurve {
  readonly #knotScores: Float64Array
  readonly #knotValues: Float64Array
  readonly #slopes: Float64Array
  readonly #topSlope: number

  private constructor(
    knotScores: Float64Array,
    knotValues: Float64Array,
    slopes: Float64Array,
    topSlope: number,
  ) {
    this.#knotScores = knotScores
    this.#knotValues = knotValues
    this.#slopes = slopes
    this.#topSlope = topSlope
  }

  /**
   * The curve for the scores of a query's other results, falling; those of 0 are no results. With
   * `ranks` it keeps only those ranks as knots (exact there, straight lines between).
   */
  static from(
    scores: ArrayLike<number>,
    visibility: Visibility,
    ranks?: readonly number[],
  ): GainCurve {
    const count = countPositive(scores)
    const values = new Float64Array(count)
    let value = 0
    let below = 0
    for (let rank = count; rank >= 1; rank--) {
      // A score between those of ranks `rank` and `rank + 1` takes rank `rank + 1`.
      value += (scores[rank - 1] - below) * visibility(rank + 1)
      below = scores[rank - 1]
      values[rank - 1] = value
    }
    const kept = keptRanks(count, ranks)
    const knotScores = Float64Array.from(kept, (rank) => scores[rank - 1])
    const knotValues = Float64Array.from(kept, (rank) => values[rank - 1])
    const slopes = Float64Array.from(kept, (rank, knot) => {
      const next = kept[knot + 1] ?? count + 1
      // Of neighbours the slope is known; the quotient would lose it where two scores nearly tie.
      if (next === rank + 1) return visibility(next)
      const run = knotScores[knot] - knotScores[knot + 1]
      return run > 0 ? (knotValues[knot] - knotValues[knot + 1]) / run : visibility(next)
    })
    return new GainCurve(knotScores, knotValues, slopes, visibility(1))
  }

  /** G(s): what a page with this score adds to the query's quality by being held. */
  value(score: number): number {
    const knot = this.#knotAtOrAbove(score)
    if (knot < 0) {
      if (this.#knotScores.length === 0) return score * this.#topSlope
      return this.#knotValues[0] + (score - this.#knotScores[0]) * this.#topSlope
    }
    return this.#knotValues[knot] - (this.#knotScores[knot] - score) * this.#slopes[knot]
  }

  /** I(R(s)): how visible a page with this score is; 0 for a page that is no result. */
  visibility(score: number): number {
    if (score <= 0) return 0
    const knot = this.#knotAtOrAbove(score)
    return knot < 0 ? this.#topSlope : this.#slopes[knot]
  }

  /** The quality gained when a page stored with one score is found to deserve another. */
  gain(storedScore: number, trueScore: number): number {
    const error = trueScore - storedScore
    return this.value(trueScore) - this.value(storedScore) - this.visibility(storedScore) * error
  }

  /** The last knot whose score is at least this one, or -1. */
  #knotAtOrAbove(score: number): number {
    let low = -1
    let high = this.#knotScores.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (this.#knotScores[middle] >= score) low = middle
      else high = middle - 1
    }
    return low
  }
}

/** Ranks that grow by about a third, dense at the top: some 20 of them reach a million. */
export function growingRanks(count: number): number[] {
  const ranks: number[] = []
  for (let rank = 1; rank < count; rank = Math.max(rank + 1, Math.round(rank * 1.4)))
    ranks.push(rank)
  if (count > 0) ranks.push(count)
  return ranks
}

function countPositive(scores: ArrayLike<number>): number {
  let count = 0
  while (count < scores.length && scores[count] > 0) count++
  return count
}

/** The ranks asked for, or all; the last rank is always one, since the line to the origin starts there. */
function keptRanks(count: number, ranks: readonly number[] | undefined): readonly number[] {
  if (!ranks) return Array.from({ length: count }, (_, i) => i + 1)
  return [...ranks.filter((rank) => rank < count), ...(count > 0 ? [count] : [])]
}
