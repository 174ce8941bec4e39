/** A sample in a few numbers. */
export interface Distribution {
  readonly mean: number
  readonly median: number
  /** The smallest value, then those below which a tenth, two tenths … of the sample lie, the largest. */
  readonly deciles: readonly number[]
}

/** The mean and deciles of a sample; all 0 for an empty one. */
export function distributionOf(values: ArrayLike<number>): Distribution {
  const sorted = Float64Array.from(values).sort()
  const sum = sorted.reduce((total, value) => total + value, 0)
  const deciles = Array.from({ length: 11 }, (_, tenth) => quantile(sorted, tenth / 10))
  return { mean: sum / Math.max(1, sorted.length), median: deciles[5], deciles }
}

/** Between two values, on the line that joins them. */
function quantile(sorted: Float64Array, share: number): number {
  if (sorted.length === 0) return 0
  const position = share * (sorted.length - 1)
  const below = Math.floor(position)
  const above = Math.min(below + 1, sorted.length - 1)
  return sorted[below] + (position - below) * (sorted[above] - sorted[below])
}
