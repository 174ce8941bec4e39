import { type HistogramLayout, SUMS_PER_BIN } from './histogram.ts'
import type { Loss } from './losses.ts'
import { MISSING_BIN } from './quantile-bins.ts'

/** Sums over the rows of a leaf, or of one bin of it. */
export interface Sums {
  readonly gradient: number
  readonly hessian: number
  readonly weight: number
}

/** Leaf values may not leave these bounds: splits above on monotone features set them. */
export interface Bounds {
  readonly lowest: number
  readonly highest: number
}

/** The best way to part a leaf. */
export interface Split {
  readonly feature: number
  readonly bin: number
  readonly missingLeft: boolean
  readonly gain: number
  readonly left: Sums
  readonly right: Sums
}

/** What a split must respect. */
export interface SplitRules {
  readonly loss: Loss
  readonly l2: number
  /** Least weight of rows on either side. */
  readonly minLeafWeight: number
  /** Loss that a split must save at least. */
  readonly minGain: number
  /** Per feature: 1 if predictions may only rise with it, 0 if free. */
  readonly monotone: Uint8Array
}

/** The value of a leaf with these sums. */
export function leafValueWithin(rules: SplitRules, sums: Sums, bounds: Bounds): number {
  const value = rules.loss.leafValue(sums.gradient, sums.hessian, rules.l2)
  return Math.min(Math.max(value, bounds.lowest), bounds.highest)
}

/**
 * The split of a leaf that saves the most loss, missing values tried on both sides; undefined if none
 * keeps the rules. Ties go to the lower feature, then to all values against none, then to the lower bin.
 */
export function findBestSplit(
  histogram: Float64Array,
  { offsets }: HistogramLayout,
  valueBins: Uint32Array,
  total: Sums,
  bounds: Bounds,
  rules: SplitRules,
): Split | undefined {
  const { loss, l2, minLeafWeight, monotone } = rules
  const { lowest, highest } = bounds
  const kept = leafValueWithin(rules, total, bounds)
  const savedWhole = loss.saved(total.gradient, total.hessian, l2, kept)
  let bestSaved = savedWhole + rules.minGain
  // No function considers a split: thousands are, and each number handed to one would be an object.
  let bestFeature = -1
  let bestBin = 0
  let bestMissingLeft = false
  let bestGradient = 0
  let bestHessian = 0
  let bestWeight = 0
  for (let feature = 0; feature < valueBins.length; feature++) {
    const missing = offsets[feature] + MISSING_BIN * SUMS_PER_BIN
    const missingGradient = histogram[missing]
    const missingHessian = histogram[missing + 1]
    const missingWeight = histogram[missing + 2]
    const someMissing = missingWeight > NO_WEIGHT * total.weight
    const lastBin = valueBins[feature]
    const mustRise = monotone[feature] === 1
    let gradient = 0
    let hessian = 0
    let weight = 0
    // All values against none come first, in the place of a bin 0.
    for (let step = someMissing ? 0 : 1; step < lastBin; step++) {
      if (step > 0) {
        const slot = offsets[feature] + step * SUMS_PER_BIN
        gradient += histogram[slot]
        hessian += histogram[slot + 1]
        weight += histogram[slot + 2]
      }
      const sides = step > 0 && someMissing ? 2 : 1
      for (let side = 0; side < sides; side++) {
        const isAll = step === 0
        const withMissing = side === 1
        const gradientLeft = isAll
          ? total.gradient - missingGradient
          : withMissing
            ? gradient + missingGradient
            : gradient
        const hessianLeft = isAll
          ? total.hessian - missingHessian
          : withMissing
            ? hessian + missingHessian
            : hessian
        const weightLeft = isAll
          ? total.weight - missingWeight
          : withMissing
            ? weight + missingWeight
            : weight
        if (weightLeft < minLeafWeight || total.weight - weightLeft < minLeafWeight) continue
        const gradientRight = total.gradient - gradientLeft
        const hessianRight = total.hessian - hessianLeft
        let left = loss.leafValue(gradientLeft, hessianLeft, l2)
        let right = loss.leafValue(gradientRight, hessianRight, l2)
        if (left < lowest) left = lowest
        else if (left > highest) left = highest
        if (right < lowest) right = lowest
        else if (right > highest) right = highest
        if (right < left && mustRise) continue
        const saved =
          loss.saved(gradientLeft, hessianLeft, l2, left) +
          loss.saved(gradientRight, hessianRight, l2, right)
        if (!(saved - bestSaved > ROUNDING * Math.abs(bestSaved))) continue
        bestSaved = saved
        bestFeature = feature
        bestBin = isAll ? lastBin : step
        // Where nothing was missing, a missing value later follows the larger side.
        bestMissingLeft = withMissing || (!someMissing && weight * 2 > total.weight)
        bestGradient = gradientLeft
        bestHessian = hessianLeft
        bestWeight = weightLeft
      }
    }
  }
  if (bestFeature < 0) return undefined
  return {
    feature: bestFeature,
    bin: bestBin,
    missingLeft: bestMissingLeft,
    gain: bestSaved - savedWhole,
    left: { gradient: bestGradient, hessian: bestHessian, weight: bestWeight },
    right: {
      gradient: total.gradient - bestGradient,
      hessian: total.hessian - bestHessian,
      weight: total.weight - bestWeight,
    },
  }
}

/** Splits that differ by less are a tie. */
const ROUNDING = 1e-12
/** Histograms made by subtraction leave this share of the weight where nothing is. */
const NO_WEIGHT = 1e-10
