const PIECES = 3
/** The first so many ranks of a move are summed one by one; the others by a closed form. */
const FEW_RANKS = 8
/**
 * A query's score by rank, kept as three straight pieces on a log-log scale, equally long in log rank:
 * 20 bytes a query. An approximation of `GainCurve`, kept as the paper's own way.
 *
 * @paper PandeyOlston2005 §5.1.2 — corrected: both directions from one formula over the other results,
 * and a closed form per piece, since the printed average step gives negative gains for most moves.
 */
export class RankCurve {
  readonly #count: number
  /** By knot: log of its rank, rising, and log of its score, falling. */
  readonly #logRanks: Float64Array
  readonly #logScores: Float64Array

  /** From the scores of a query's results, falling and above 0. */
  constructor(scores: ArrayLike<number>) {
    this.#count = scores.length
    const logCount = Math.log(Math.max(1, scores.length))
    const ranks = Array.from({ length: PIECES + 1 }, (_, knot) =>
      Math.min(scores.length, Math.round(Math.exp((logCount * knot) / PIECES))),
    )
    const distinct = [...new Set(ranks)]
    this.#logRanks = Float64Array.from(distinct, Math.log)
    this.#logScores = Float64Array.from(distinct, (rank) => Math.log(scores[rank - 1]))
  }

  /** F(s): about the rank a score takes among the others, from 1 to one past the last. */
  rankOf(score: number): number {
    if (this.#count === 0) return 1
    const logScore = Math.log(score)
    const last = this.#logScores.length - 1
    if (logScore > this.#logScores[0]) return 1
    if (logScore <= this.#logScores[last]) return this.#count + 1
    let knot = 1
    while (this.#logScores[knot] >= logScore) knot++
    const along =
      (this.#logScores[knot - 1] - logScore) / (this.#logScores[knot - 1] - this.#logScores[knot])
    const span = this.#logRanks[knot] - this.#logRanks[knot - 1]
    // The score lies below that of the rank found, so it comes after it.
    return Math.floor(Math.exp(this.#logRanks[knot - 1] + along * span) + 1e-9) + 1
  }

  /** F⁻¹(r): about the score at a rank. */
  scoreAt(rank: number): number {
    const { coefficient, exponent } = this.#pieceAt(rank)
    return coefficient * rank ** -exponent
  }

  /** About the quality gained when a page that is none of the results deserves a score; may err below 0. */
  gain(storedScore: number, trueScore: number): number {
    return this.#gainOfMove(storedScore, trueScore, 0)
  }

  /** The same for a page that is one of the results the curve was made of, with its stored score. */
  gainOfResult(storedScore: number, trueScore: number): number {
    return this.#gainOfMove(storedScore, trueScore, storedScore > 0 ? 1 : 0)
  }

  /** `own` is 1 if the page takes up a rank of its own, which does not compete with it. */
  #gainOfMove(storedScore: number, trueScore: number, own: 0 | 1): number {
    const seenAt = (score: number, rank: number) => (score > 0 ? rank ** -1.5 : 0)
    const from = Math.max(1, this.rankOf(storedScore) - own)
    const rank = this.rankOf(trueScore)
    const to = trueScore > storedScore ? Math.min(from, rank) : Math.max(from, rank - own)
    const seenMore = (seenAt(trueScore, to) - seenAt(storedScore, from)) * trueScore
    return to > from ? seenMore + this.#shift(from, to, own) : seenMore - this.#shift(to, from, 0)
  }

  /** What the results from rank `from` up to `to` (left out) gain by moving up one rank; they lie `offset` below. */
  #shift(from: number, to: number, offset: number): number {
    // Beyond a few ranks one more or less is the same.
    const few = Math.min(to, from + FEW_RANKS)
    let sum = this.#shiftByPieces(few, to)
    for (let rank = from; rank < few; rank++)
      sum += (rank ** -1.5 - (rank + 1) ** -1.5) * this.scoreAt(rank + offset)
    return sum
  }

  /** ∫ 3/2 x^(-5/2) F⁻¹(x) dx, piece by piece: each is a power law, so each has a closed form. */
  #shiftByPieces(from: number, to: number): number {
    let sum = 0
    let start = from
    while (start < to) {
      const { coefficient, exponent, end } = this.#pieceAt(start)
      const stop = Math.min(to, end)
      const power = 1.5 + exponent
      sum += ((1.5 * coefficient) / power) * (start ** -power - stop ** -power)
      start = stop
    }
    return sum
  }

  /** The piece that a rank lies on, as score = coefficient · rank^(-exponent), and where it ends. */
  #pieceAt(rank: number): { coefficient: number; exponent: number; end: number } {
    const last = this.#logRanks.length - 1
    if (last <= 0)
      return {
        coefficient: Math.exp(this.#logScores[0]),
        exponent: 0,
        end: Number.POSITIVE_INFINITY,
      }
    const logRank = Math.log(rank) + 1e-12
    let knot = 1
    while (knot < last && this.#logRanks[knot] <= logRank) knot++
    const exponent =
      (this.#logScores[knot - 1] - this.#logScores[knot]) /
      (this.#logRanks[knot] - this.#logRanks[knot - 1])
    const coefficient = Math.exp(this.#logScores[knot - 1] + exponent * this.#logRanks[knot - 1])
    const end = knot === last ? Number.POSITIVE_INFINITY : Math.exp(this.#logRanks[knot])
    return { coefficient, exponent, end }
  }
}
