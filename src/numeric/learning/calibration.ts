import { poolViolators } from './isotonic.ts'

/** Rows with similar predictions: what was predicted for them, and what was realised. */
export interface CalibrationGroup {
  readonly rows: number
  /** Means. */
  readonly predicted: number
  readonly realised: number
}

/**
 * Mean predicted and realised values by groups of about equal size, from the lowest
 * predictions to the highest (deciles by default). Equal predictions stay in one group, so there
 * may be fewer groups.
 */
export function calibrationGroups(
  predicted: ArrayLike<number>,
  realised: ArrayLike<number>,
  groups = 10,
): CalibrationGroup[] {
  const order = Uint32Array.from({ length: predicted.length }, (_, row) => row).sort(
    (a, b) => predicted[a] - predicted[b] || a - b,
  )
  const made: CalibrationGroup[] = []
  for (let first = 0; first < order.length; ) {
    const groupsLeft = Math.max(1, groups - made.length)
    const share = (order.length - first) / groupsLeft
    let [end, predictedSum, realisedSum] = [first, 0, 0]
    while (end < order.length && (end - first < share || isTie(predicted, order, end))) {
      const row = order[end++]
      predictedSum += predicted[row]
      realisedSum += realised[row]
    }
    const rows = end - first
    made.push({ rows, predicted: predictedSum / rows, realised: realisedSum / rows })
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

/** Expected events at which a group's realised mean counts as much as its prediction. */
const TRUST_EVENTS = 4

interface CalibratorOptions {
  readonly groups?: number
  /** Predictions are probabilities: corrected ones stay at or below 1. */
  readonly probability?: boolean
}

/**
 * Learns to correct non-negative predictions by what earlier ones came to (isotonic regression).
 * Groups are shrunk towards their predictions, so few events change little. The order of
 * predictions is kept: one knot for each pooled block, at its centre, leaves no flat stretch.
 */
export function fitCalibrator(
  predicted: ArrayLike<number>,
  realised: ArrayLike<number>,
  { groups, probability = false }: CalibratorOptions = {},
): Calibrator {
  const needed = TRUST_EVENTS * sizeOfEvent(predicted, realised)
  const points = calibrationGroups(predicted, realised, groups).map((group) => ({
    ...{ x: group.predicted, y: shrunk(group, needed), weight: group.rows },
  }))
  const within = poolViolators(points).filter(
    ({ x, y }) => x > 0 && y > 0 && !(probability && (x >= 1 || y >= 1)),
  )
  const all = [{ x: 0, y: 0 }, ...within, ...(probability ? [{ x: 1, y: 1 }] : [])]
  return { predicted: all.map(({ x }) => x), corrected: all.map(({ y }) => y) }
}

/** Variance over mean: 1 for rare outcomes of 0 or 1, and for gains about the size of the large ones. */
function sizeOfEvent(predicted: ArrayLike<number>, realised: ArrayLike<number>): number {
  let [squares, sum] = [0, 0]
  for (let row = 0; row < predicted.length; row++) {
    squares += (realised[row] - predicted[row]) ** 2
    sum += predicted[row]
  }
  return sum > 0 ? squares / sum : 0
}

/** The mean of a group, shrunk from realised towards predicted by the number of expected events. */
function shrunk({ rows, predicted, realised }: CalibrationGroup, needed: number): number {
  const expected = rows * predicted
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
