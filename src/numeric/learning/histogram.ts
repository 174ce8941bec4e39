import type { BinnedTable } from './quantile-bins.ts'

/** What rows pull at: the derivatives of their loss, and their weights. */
export interface Pull {
  readonly gradients: Float64Array
  readonly hessians: Float64Array
  readonly weights: Float64Array
}

/** Numbers per bin of a histogram: sums of gradient, hessian and weight, in this order. */
export const SUMS_PER_BIN = 3

/** Where the bins of each feature begin in a histogram. */
export interface HistogramLayout {
  readonly offsets: Uint32Array
  readonly length: number
}

/** The layout of histograms over a table. */
export function histogramLayout(table: BinnedTable): HistogramLayout {
  const offsets = new Uint32Array(table.valueBins.length)
  let length = 0
  for (const [feature, bins] of table.valueBins.entries()) {
    offsets[feature] = length
    length += (bins + 1) * SUMS_PER_BIN
  }
  return { offsets, length }
}

/** Room for `rows` rows. */
export function emptyPull(rows: number): Pull {
  return {
    gradients: new Float64Array(rows),
    hessians: new Float64Array(rows),
    weights: new Float64Array(rows),
  }
}

/** Copies the pull of these rows to the beginning of `into`, so that features read it in order. */
export function gatherPull(pull: Pull, rows: Uint32Array, into: Pull): void {
  const { gradients, hessians, weights } = pull
  const { gradients: gradientsInto, hessians: hessiansInto, weights: weightsInto } = into
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]
    gradientsInto[i] = gradients[row]
    hessiansInto[i] = hessians[row]
    weightsInto[i] = weights[row]
  }
}

/** Adds rows up by their bin of one feature; `gathered[i]` belongs to `rows[i]`. */
export function addToHistogram(
  histogram: Float64Array,
  offset: number,
  bins: Uint8Array,
  rows: Uint32Array,
  gathered: Pull,
): void {
  const { gradients, hessians, weights } = gathered
  for (let i = 0; i < rows.length; i++) {
    const slot = offset + bins[rows[i]] * SUMS_PER_BIN
    histogram[slot] += gradients[i]
    histogram[slot + 1] += hessians[i]
    histogram[slot + 2] += weights[i]
  }
}

/** Takes one child's sums out of its parent's, which leaves those of the other child. */
export function subtractHistogram(from: Float64Array, child: Float64Array): void {
  for (let slot = 0; slot < from.length; slot++) from[slot] -= child[slot]
}
