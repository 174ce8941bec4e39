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
  let best: { feature: number; bin: number; missingLeft: boolean; left: Sums } | undefined

  const consider = (
    feature: number,
    bin: number,
    missingLeft: boolean,
    gradient: number,
    hessian: number,
    weight: number,
  ): void => {
    if (weight < minLeafWeight || total.weight - weight < minLeafWeight) return
    const gradientRight = total.gradient - gradient
    const hessianRight = total.hessian - hessian
    let left = loss.leafValue(gradient, hessian, l2)
    let right = loss.leafValue(gradientRight, hessianRight, l2)
    if (left < lowest) left = lowest
    else if (left > highest) left = highest
    if (right < lowest) right = lowest
    else if (right > highest) right = highest
    if (right < left && monotone[feature] === 1) return
    const saved =
      loss.saved(gradient, hessian, l2, left) + loss.saved(gradientRight, hessianRight, l2, right)
    if (!(saved - bestSaved > ROUNDING * Math.abs(bestSaved))) return
    bestSaved = saved
    best = { feature, bin, missingLeft, left: { gradient, hessian, weight } }
  }

  for (let feature = 0; feature < valueBins.length; feature++) {
    const missing = offsets[feature] + MISSING_BIN * SUMS_PER_BIN
    const missingGradient = histogram[missing]
    const missingHessian = histogram[missing + 1]
    const missingWeight = histogram[missing + 2]
    const someMissing = missingWeight > NO_WEIGHT * total.weight
    const lastBin = valueBins[feature]
    if (someMissing)
      consider(
        feature,
        lastBin,
        false,
        total.gradient - missingGradient,
        total.hessian - missingHessian,
        total.weight - missingWeight,
      )
    let gradient = 0
    let hessian = 0
    let weight = 0
    for (let bin = 1; bin < lastBin; bin++) {
      const slot = offsets[feature] + bin * SUMS_PER_BIN
      gradient += histogram[slot]
      hessian += histogram[slot + 1]
      weight += histogram[slot + 2]
      // Where nothing was missing, a missing value later follows the larger side.
      const larger = !someMissing && weight * 2 > total.weight
      consider(feature, bin, larger, gradient, hessian, weight)
      if (someMissing)
        consider(
          feature,
          bin,
          true,
          gradient + missingGradient,
          hessian + missingHessian,
          weight + missingWeight,
        )
    }
  }
  if (best === undefined) return undefined
  const right: Sums = {
    gradient: total.gradient - best.left.gradient,
    hessian: total.hessian - best.left.hessian,
    weight: total.weight - best.left.weight,
  }
  return { ...best, gain: bestSaved - savedWhole, right }
}

/** Splits that differ by less are a tie. */
const ROUNDING = 1e-12
/** Histograms made by subtraction leave this share of the weight where nothing is. */
const NO_WEIGHT = 1e-10
