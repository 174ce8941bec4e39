import type { BinnedTable } from './quantile-bins.ts'

/** The derivatives of each row's loss, and its weight. */
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

/**
 * The histogram slot of each row and feature: `slots[row * features + feature]`. Additions to
 * one bin must wait for each other, and in many features most rows share one bin. Going row by
 * row lets additions of different features overlap.
 */
export function slotsOf(
  { bins, rows, valueBins }: BinnedTable,
  { offsets }: HistogramLayout,
): Uint32Array {
  const features = valueBins.length
  const slots = new Uint32Array(rows * features)
  for (let feature = 0; feature < features; feature++)
    for (let row = 0; row < rows; row++)
      slots[row * features + feature] = offsets[feature] + bins[feature * rows + row] * SUMS_PER_BIN
  return slots
}

/** Adds rows up by their bins of all features; `slots` are those of the whole table. */
export function addToHistogram(
  histogram: Float64Array,
  slots: Uint32Array,
  rows: Uint32Array,
  { gradients, hessians, weights }: Pull,
): void {
  const features = slots.length / weights.length
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]
    const gradient = gradients[row]
    const hessian = hessians[row]
    const weight = weights[row]
    const end = (row + 1) * features
    for (let at = row * features; at < end; at++) {
      const slot = slots[at]
      histogram[slot] += gradient
      histogram[slot + 1] += hessian
      histogram[slot + 2] += weight
    }
  }
}

/** Subtracts one child's sums from its parent's, which leaves those of the other child. */
export function subtractHistogram(from: Float64Array, child: Float64Array): void {
  for (let slot = 0; slot < from.length; slot++) from[slot] -= child[slot]
}
