import type { FeatureTable } from './feature-table.ts'

/**
 * Where a feature's values are cut into bins, ascending. A value's bin is 1 + the number of cuts below
 * it, so a value equal to a cut is still in the lower bin.
 */
export type Cuts = readonly number[]

/** A table whose values are replaced by the numbers of their bins. */
export interface BinnedTable {
  /** Feature by feature: `bins[feature * rows + row]`. */
  readonly bins: Uint8Array
  readonly rows: number
  /** Per feature, how many bins hold values: these are 1 to so many. */
  readonly valueBins: Uint32Array
}

/** The bins of one feature. */
export function binsOf({ bins, rows }: BinnedTable, feature: number): Uint8Array {
  return bins.subarray(feature * rows, (feature + 1) * rows)
}

/** The bin of missing values, in every feature. */
export const MISSING_BIN = 0
/** With the bin of missing values, numbers still fit a byte. */
export const MOST_BINS = 255
/** Quantiles of more rows than this would hardly differ. */
const ROWS_LOOKED_AT = 200_000

/** Cuts every feature into at most `maxBins` bins of about equal size. */
export function fitCuts(table: FeatureTable, maxBins: number): Cuts[] {
  if (!(maxBins >= 2 && maxBins <= MOST_BINS))
    throw new Error(`bins must be 2 to ${MOST_BINS}, not ${maxBins}`)
  return table.columns.map((column) => cutColumn(column, maxBins))
}

/**
 * One bin for each distinct value where there are few; else a value as frequent as a bin gets a
 * bin of its own.
 */
function cutColumn(column: Float32Array, maxBins: number): Cuts {
  const { values, counts } = distinctValues(column)
  if (values.length <= maxBins) return values.slice(1).map((value, i) => between(values[i], value))
  const total = counts.reduce((sum, count) => sum + count, 0)
  const frequent = counts.map((count) => count >= total / maxBins)
  let rowsLeft = counts.reduce((sum, count, i) => (frequent[i] ? sum : sum + count), 0)
  let binsLeft = maxBins - frequent.filter(Boolean).length
  let inBin = 0
  const cuts: number[] = []
  for (let i = 0; i + 1 < values.length && cuts.length < maxBins - 1; i++) {
    inBin += counts[i]
    const full = inBin >= rowsLeft / Math.max(1, binsLeft)
    if (!(frequent[i] || frequent[i + 1] || full)) continue
    cuts.push(between(values[i], values[i + 1]))
    if (!frequent[i]) {
      rowsLeft -= inBin
      binsLeft--
    }
    inBin = 0
  }
  return cuts
}

/** The values of a column, ascending, and how often each was seen. */
function distinctValues(column: Float32Array): { values: number[]; counts: number[] } {
  const step = Math.ceil(column.length / ROWS_LOOKED_AT)
  const sorted = (step > 1 ? column.filter((_, row) => row % step === 0) : column.slice()).sort()
  const values: number[] = []
  const counts: number[] = []
  for (let i = 0; i < sorted.length; i++) {
    const value = sorted[i]
    if (Number.isNaN(value)) break // sorted to the end
    if (value === values.at(-1)) counts[counts.length - 1]++
    else {
      values.push(value)
      counts.push(1)
    }
  }
  return { values, counts }
}

/** A finite number at or above `lower` and below `upper`, in the middle where there is one. */
function between(lower: number, upper: number): number {
  const middle = (lower + upper) / 2
  return Number.isFinite(middle) ? middle : Math.max(lower, -Number.MAX_VALUE)
}

/** Puts the values of tables into bins, block by block. */
export class Binner {
  readonly valueBins: Uint32Array
  /** Per feature its cuts, filled up with infinity to a power of two. */
  readonly #padded: readonly Float64Array[]

  constructor(cuts: readonly Cuts[]) {
    this.valueBins = Uint32Array.from(cuts, ({ length }) => length + 1)
    this.#padded = cuts.map((column) => {
      const padded = new Float64Array(2 ** Math.ceil(Math.log2(column.length + 1))).fill(Infinity)
      padded.set(column)
      return padded
    })
  }

  /** Rows `start` to `end` of a table, in bins. `into` may give room from an earlier call. */
  bin(
    table: FeatureTable,
    start = 0,
    end = table.rows,
    into = new Uint8Array(table.columns.length * (end - start)),
  ): BinnedTable {
    const rows = end - start
    for (const [feature, column] of table.columns.entries()) {
      const bins = into.subarray(feature * rows, (feature + 1) * rows)
      binValues(column.subarray(start, end), this.#padded[feature], bins)
    }
    return { bins: into, rows, valueBins: this.valueBins }
  }
}

/**
 * A binary search without branches, as its direction cannot be predicted. Values that describe a
 * query repeat in successive rows, so the last result is tried first.
 */
function binValues(values: Float32Array, padded: Float64Array, bins: Uint8Array): void {
  const half = padded.length >> 1
  let latest = Number.NaN
  let bin = MISSING_BIN
  for (let row = 0; row < values.length; row++) {
    const value = values[row]
    if (value !== latest) {
      let below = 0
      for (let step = half; step > 0; step >>= 1)
        below += Number(padded[below + step - 1] < value) * step
      bin = Number.isNaN(value) ? MISSING_BIN : below + 1
      latest = value
    }
    bins[row] = bin
  }
}
