/**
 * What a model is fitted to.
 * - `squared`: the mean of any number.
 * - `logistic`: the probability of a target of 1 against 0; targets between are shares.
 * - `poisson`: the mean of something never negative, such as a gain: mostly 0, with a heavy tail. Errors
 *   count in proportion to the mean.
 * - `tweedie`: the same, but errors at large means count less (variance as the mean's power 1.5).
 */
export type LossName = 'squared' | 'logistic' | 'poisson' | 'tweedie'

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
  /** The loss of one row, up to a constant. */
  of(raw: number, target: number): number
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
  of: (raw, target) => (raw - target) ** 2 / 2,
  link: (raw) => raw,
  balance: () => 1,
}

const logistic: Loss = {
  saved: newton.saved,
  leafValue: (gradient, hessian, l2) => bounded(newton.leafValue(gradient, hessian, l2)),
  normalise(targets, weights) {
    const { sum, total } = momentsOf(targets, weights)
    // Adds half a success and half a failure (Jeffreys prior): a few equal rows prove no
    // certainty.
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
  of: (raw, target) => Math.max(raw, 0) - raw * target + Math.log1p(Math.exp(-Math.abs(raw))),
  link: (raw) => 1 / (1 + Math.exp(-raw)),
  balance: () => 1,
}

/**
 * Quasi-likelihood of a mean with variance as its `power` (1 to below 2), in the log of the mean. With
 * A = Σ w·y·mean^(1−power) and B = Σ w·mean^(2−power) over a leaf, gradient and hessian are B − A and
 * (power − 1)·A + (2 − power)·B, and log(A/B) is exactly the best step. So we take that one: Newton's
 * would leap wherever one large gain falls among zeros. The penalty acts as rows predicted just right.
 */
function logLinkLoss(power: number): Loss {
  const seenSum = (gradient: number, hessian: number) => hessian - (2 - power) * gradient
  const expectedSum = (gradient: number, hessian: number) => hessian + (power - 1) * gradient
  const rise = (raw: number) =>
    power === 1 ? raw : (1 - Math.exp((1 - power) * raw)) / (power - 1)
  const cost = (raw: number) => (Math.exp((2 - power) * raw) - 1) / (2 - power)
  return {
    normalise(targets, weights) {
      const { mean, deviation } = momentsOf(targets, weights)
      const dispersion = mean > 0 ? (deviation / mean) ** 2 : 1
      return { shift: 0, scale: mean, start: 0, dispersion }
    },
    derive(raw, targets, weights, gradients, hessians) {
      for (let row = 0; row < raw.length; row++) {
        const mean = Math.exp(raw[row])
        const damping = power === 1 ? 1 : mean ** (1 - power)
        const seen = weights[row] * targets[row] * damping
        const expected = weights[row] * mean * damping
        gradients[row] = expected - seen
        hessians[row] = (power - 1) * seen + (2 - power) * expected
      }
    },
    leafValue: (gradient, hessian, l2) =>
      bounded(
        Math.log(
          // Sums come from subtractions, and may be a rounding below 0.
          (Math.max(0, seenSum(gradient, hessian)) + l2) /
            (Math.max(0, expectedSum(gradient, hessian)) + l2),
        ),
      ),
    saved: (gradient, hessian, l2, value) =>
      (seenSum(gradient, hessian) + l2) * rise(value) -
      (expectedSum(gradient, hessian) + l2) * cost(value),
    of: (raw, target) => cost(raw) - target * rise(raw),
    link: Math.exp,
    // Small steps in the logarithm fall short of the mean that they aim at.
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
}

const LOSSES: Readonly<Record<LossName, Loss>> = {
  squared,
  logistic,
  poisson: logLinkLoss(1),
  tweedie: logLinkLoss(1.5),
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
