/** A loss as trees see it: of a raw score per row, through sums of its first two derivatives. */
export interface Loss {
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
}

/** The mean of any number. */
export const squared: Loss = {
  derive(raw, targets, weights, gradients, hessians) {
    for (let row = 0; row < raw.length; row++) {
      gradients[row] = weights[row] * (raw[row] - targets[row])
      hessians[row] = weights[row]
    }
  },
  leafValue: (gradient, hessian, l2) => -gradient / (hessian + l2),
  saved: (gradient, hessian, l2, value) => -value * (gradient + ((hessian + l2) * value) / 2),
}

/** A step this large changes means by a factor of 3000: larger ones are noise. */
const LARGEST_STEP = 8

/**
 * The mean of something never negative, such as a gain: mostly 0, with a heavy tail. Errors count in proportion to the
 * mean, and a raw score is its logarithm. With A = Σ w·y and B = Σ w·mean over a leaf, gradient and hessian are B − A
 * and B, and log(A/B) is exactly the best step. So we take that one: Newton's would leap wherever one large gain falls
 * among zeros. The penalty acts as rows predicted just right.
 */
export const poisson: Loss = {
  derive(raw, targets, weights, gradients, hessians) {
    for (let row = 0; row < raw.length; row++) {
      const expected = weights[row] * Math.exp(raw[row])
      gradients[row] = expected - weights[row] * targets[row]
      hessians[row] = expected
    }
  },
  leafValue: (gradient, hessian, l2) => {
    // Sums come from subtractions, and may be a rounding below 0.
    const step = Math.log((Math.max(0, hessian - gradient) + l2) / (Math.max(0, hessian) + l2))
    return Math.min(Math.max(step, -LARGEST_STEP), LARGEST_STEP)
  },
  saved: (gradient, hessian, l2, value) =>
    (hessian - gradient + l2) * value - (hessian + l2) * (Math.exp(value) - 1),
}

/** Weighted mean and standard deviation; 0 without any weight. */
export function momentsOf(
  targets: ArrayLike<number>,
  weights: Float64Array,
): { readonly mean: number; readonly deviation: number } {
  let [sum, total, squares] = [0, 0, 0]
  for (let row = 0; row < targets.length; row++) {
    sum += weights[row] * targets[row]
    total += weights[row]
  }
  if (total === 0) return { mean: 0, deviation: 0 }
  const mean = sum / total
  for (let row = 0; row < targets.length; row++)
    squares += weights[row] * (targets[row] - mean) ** 2
  return { mean, deviation: Math.sqrt(squares / total) }
}
