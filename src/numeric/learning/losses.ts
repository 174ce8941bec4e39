/**
 * What a model is fitted to.
 * - `squared`: the mean of any number.
 * - `logistic`: the probability of a target of 1 against 0; targets between are shares.
 * - `poisson`: the mean of something never negative, such as a gain: mostly 0, with a heavy tail. Errors
 *   count in proportion to the mean.
 */
export type LossName = 'squared' | 'logistic' | 'poisson'

/** A loss as trees see it: of a raw score per row, through sums of its first two derivatives. */
export interface Loss {
  /** How targets are shifted and scaled before learning, so that other settings mean the same at any scale. */
  normalise(targets: Float64Array, weights: Float64Array): Normalisation
  /** Fills in the first and second derivative of each row's weighted loss. */
  derive(
    raw: Float64Array,
    targets: Float64Array,
    weights: Float64Array,
    gradients: Float64Array,
    hessians: Float64Array,
  ): void
  /** What a leaf should add to the raw scores of its rows, from sums over them. */
  leafValue(gradient: number, hessian: number, l2: number): number
  /** Loss that a leaf saves by adding `value`, less the penalty. */
  saved(gradient: number, hessian: number, l2: number, value: number): number
  /** From a raw score to a normalised target. */
  link(raw: number): number
  /** What to multiply predictions by in the end; 1 unless learning slowly leaves their sum wrong. */
  balance(raw: Float64Array, targets: Float64Array, weights: Float64Array): number
}

/** Predictions are `shift + scale · link(raw)`; `start` is the raw score of every row before any tree. */
export interface Normalisation {
  readonly shift: number
  /** 0 when all targets are alike and there is nothing to learn. */
  readonly scale: number
  readonly start: number
  /** Variance of a normalised target at its mean, which is how many rows say as much as one event. */
  readonly dispersion: number
}

/** The loss of that name. */
export function lossNamed(name: LossName): Loss {
  return LOSSES[name]
}

/** A step this large changes odds or means by a factor of 3000: larger ones are noise. */
const LARGEST_STEP = 8

/** What a Newton step does is the same for losses with a parabola as their local model. */
const newton: Pick<Loss, 'leafValue' | 'saved'> = {
  leafValue: (gradient, hessian, l2) => -gradient / (hessian + l2),
  saved: (gradient, hessian, l2, value) => -value * (gradient + ((hessian + l2) * value) / 2),
}

const squared: Loss = {
  ...newton,
  normalise(targets, weights) {
    const { mean, deviation } = momentsOf(targets, weights)
    const constant = !(deviation > 1e-12 * Math.abs(mean))
    return { shift: mean, scale: constant ? 0 : deviation, start: 0, dispersion: 1 }
  },
  derive(raw, targets, weights, gradients, hessians) {
    for (let row = 0; row < raw.length; row++) {
      gradients[row] = weights[row] * (raw[row] - targets[row])
      hessians[row] = weights[row]
    }
  },
  link: (raw) => raw,
  balance: () => 1,
}

const logistic: Loss = {
  saved: newton.saved,
  leafValue: (gradient, hessian, l2) => bounded(newton.leafValue(gradient, hessian, l2)),
  normalise(targets, weights) {
    const { sum, total } = momentsOf(targets, weights)
    // Half a success and half a failure more than seen: a few rows alike prove no certainty.
    const start = Math.log((sum + 0.5) / (total - sum + 0.5))
    return { shift: 0, scale: 1, start, dispersion: 1 }
  },
  derive(raw, targets, weights, gradients, hessians) {
    for (let row = 0; row < raw.length; row++) {
      const chance = 1 / (1 + Math.exp(-raw[row]))
      gradients[row] = weights[row] * (chance - targets[row])
      hessians[row] = weights[row] * Math.max(chance * (1 - chance), 1e-12)
    }
  },
  link: (raw) => 1 / (1 + Math.exp(-raw)),
  balance: () => 1,
}

/**
 * Likelihood of counts with such a mean, in the log of the mean. With A = Σ w·y and B = Σ w·mean over a
 * leaf, gradient and hessian are B − A and B, and log(A/B) is exactly the best step. So we take that one:
 * Newton's would leap wherever one large gain falls among zeros. The penalty acts as rows predicted just
 * right.
 */
const poisson: Loss = {
  normalise(targets, weights) {
    const { mean, deviation } = momentsOf(targets, weights)
    const dispersion = mean > 0 ? (deviation / mean) ** 2 : 1
    return { shift: 0, scale: mean, start: 0, dispersion }
  },
  derive(raw, targets, weights, gradients, hessians) {
    for (let row = 0; row < raw.length; row++) {
      const expected = weights[row] * Math.exp(raw[row])
      gradients[row] = expected - weights[row] * targets[row]
      hessians[row] = expected
    }
  },
  leafValue: (gradient, hessian, l2) =>
    // Sums come from subtractions, and may be a rounding below 0.
    bounded(Math.log((Math.max(0, hessian - gradient) + l2) / (Math.max(0, hessian) + l2))),
  saved: (gradient, hessian, l2, value) =>
    (hessian - gradient + l2) * value - (hessian + l2) * (Math.exp(value) - 1),
  link: Math.exp,
  // Small steps in the logarithm, each a part of the way, fall short of the mean they aim at.
  balance(raw, targets, weights) {
    let seen = 0
    let expected = 0
    for (let row = 0; row < raw.length; row++) {
      seen += weights[row] * targets[row]
      expected += weights[row] * Math.exp(raw[row])
    }
    return expected > 0 ? seen / expected : 1
  },
}

const LOSSES: Readonly<Record<LossName, Loss>> = {
  squared,
  logistic,
  poisson,
}

function bounded(step: number): number {
  return Math.min(Math.max(step, -LARGEST_STEP), LARGEST_STEP)
}

function momentsOf(targets: Float64Array, weights: Float64Array) {
  let sum = 0
  let total = 0
  for (let row = 0; row < targets.length; row++) {
    sum += weights[row] * targets[row]
    total += weights[row]
  }
  const mean = total > 0 ? sum / total : 0
  let squares = 0
  for (let row = 0; row < targets.length; row++)
    squares += weights[row] * (targets[row] - mean) ** 2
  return { sum, total, mean, deviation: total > 0 ? Math.sqrt(squares / total) : 0 }
}
