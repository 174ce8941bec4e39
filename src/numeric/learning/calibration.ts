import { poolViolators } from './isotonic.ts'

/** Rows of like predictions: what was predicted for them, and what came. */
export interface CalibrationGroup {
  readonly rows: number
  readonly weight: number
  /** Weighted means. */
  readonly predicted: number
  readonly realised: number
}

/**
 * Predicted against realised, by groups of about equal weight from the lowest predictions to the highest
 * (deciles, unless told otherwise). Equal predictions stay together, so there may be fewer groups.
 */
export function calibrationGroups(
  predicted: ArrayLike<number>,
  realised: ArrayLike<number>,
  { weights, groups = 10 }: { weights?: ArrayLike<number>; groups?: number } = {},
): CalibrationGroup[] {
  const order = Uint32Array.from({ length: predicted.length }, (_, row) => row)
    .filter((row) => weights === undefined || weights[row] > 0)
    .sort((a, b) => predicted[a] - predicted[b] || a - b)
  const weightOf = (row: number) => weights?.[row] ?? 1
  let weightLeft = order.reduce((sum, row) => sum + weightOf(row), 0)
  const made: CalibrationGroup[] = []
  for (let first = 0; first < order.length; ) {
    const groupsLeft = groups - made.length
    const share = groupsLeft > 1 ? weightLeft / groupsLeft : Infinity
    let end = first
    let weight = 0
    let predictedSum = 0
    let realisedSum = 0
    // A little short of its share a group is full: sums are rounded.
    while (
      end < order.length &&
      (end === first || weight < share * (1 - 1e-9) || isTie(predicted, order, end))
    ) {
      const row = order[end++]
      weight += weightOf(row)
      predictedSum += weightOf(row) * predicted[row]
      realisedSum += weightOf(row) * realised[row]
    }
    made.push({
      rows: end - first,
      weight,
      predicted: predictedSum / weight,
      realised: realisedSum / weight,
    })
    weightLeft -= weight
    first = end
  }
  return made
}

function isTie(predicted: ArrayLike<number>, order: Uint32Array, at: number): boolean {
  return predicted[order[at]] === predicted[order[at - 1]]
}

/** Corrects predictions, as plain data: linear between knots, both ascending, from (0, 0) on. */
export interface Calibrator {
  readonly predicted: readonly number[]
  readonly corrected: readonly number[]
}

interface CalibratorOptions {
  readonly weights?: ArrayLike<number>
  readonly groups?: number
  /** Events a group must expect until what it saw counts as much as what was predicted. */
  readonly trust?: number
  /** Predictions are probabilities: corrected ones stay at or below 1. */
  readonly probability?: boolean
}

/**
 * Learns to correct predictions of at least 0 by what came of earlier ones. Groups are shrunk to what was
 * predicted, so few events change little. The order of predictions is kept: one knot per pooled block,
 * at its centre, leaves no flat stretch.
 */
export function fitCalibrator(
  predicted: ArrayLike<number>,
  realised: ArrayLike<number>,
  { weights, groups, trust = 4, probability = false }: CalibratorOptions = {},
): Calibrator {
  const seen = calibrationGroups(predicted, realised, { weights, groups })
  const event = sizeOfEvent(predicted, realised, weights)
  const blocks = poolViolators(
    seen.map((group) => group.predicted),
    seen.map((group) => shrunk(group, trust * event)),
    seen.map(({ weight }) => weight),
  )
  const knots = blocks.map(({ x, y }) => ({ x, y }))
  const within = knots.filter(({ x, y }) => x > 0 && y > 0 && !(probability && (x >= 1 || y >= 1)))
  const all = [{ x: 0, y: 0 }, ...within, ...(probability ? [{ x: 1, y: 1 }] : [])]
  return { predicted: all.map(({ x }) => x), corrected: all.map(({ y }) => y) }
}

/** Variance over mean: 1 for rare outcomes of 0 or 1, and for gains about the size of the large ones. */
function sizeOfEvent(
  predicted: ArrayLike<number>,
  realised: ArrayLike<number>,
  weights: ArrayLike<number> | undefined,
): number {
  let squares = 0
  let sum = 0
  for (let row = 0; row < predicted.length; row++) {
    const weight = weights?.[row] ?? 1
    squares += weight * (realised[row] - predicted[row]) ** 2
    sum += weight * predicted[row]
  }
  return sum > 0 ? squares / sum : 0
}

/** The mean of a group between predicted and realised, by how much was to be expected in it. */
function shrunk({ weight, predicted, realised }: CalibrationGroup, needed: number): number {
  const expected = weight * predicted
  return expected > 0
    ? predicted + ((realised - predicted) * expected) / (expected + needed)
    : predicted
}

/** A prediction, corrected. Beyond the last knot the correction goes on in proportion. */
export function calibrated({ predicted, corrected }: Calibrator, prediction: number): number {
  const last = predicted.length - 1
  if (last === 0 || prediction <= 0) return prediction
  if (prediction >= predicted[last]) return (prediction * corrected[last]) / predicted[last]
  let above = 1
  while (predicted[above] <= prediction) above++
  const width = predicted[above] - predicted[above - 1]
  const part = (prediction - predicted[above - 1]) / width
  return corrected[above - 1] + part * (corrected[above] - corrected[above - 1])
}
