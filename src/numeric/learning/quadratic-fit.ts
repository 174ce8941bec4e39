/** A parabola, as plain data: `intercept + slope·t + bend·t²` where t = (x − centre) / width. */
export interface Quadratic {
  readonly centre: number
  readonly width: number
  readonly intercept: number
  readonly slope: number
  readonly bend: number
}

/**
 * The parabola of least squares. With fewer than three distinct x it has no bend, with one no slope;
 * without any point it is 0.
 *
 * @paper PandeyOlston2008 §5.4 — they say only that regression fitted a quadratic function.
 */
export function fitQuadratic(xs: ArrayLike<number>, ys: ArrayLike<number>): Quadratic {
  const mean = (of: (i: number) => number): number => {
    let sum = 0
    for (let i = 0; i < xs.length; i++) sum += of(i)
    return xs.length > 0 ? sum / xs.length : 0
  }
  const centre = mean((i) => xs[i])
  const spread = Math.sqrt(mean((i) => (xs[i] - centre) ** 2))
  const width = spread > 1e-12 * Math.abs(centre) ? spread : 1
  const t = (i: number) => (xs[i] - centre) / width
  // Three orthogonal polynomials over the points: 1, t, and t² without its parts along those.
  // So each coefficient is found by itself, and a degenerate one stays 0.
  const tilt = mean((i) => t(i) ** 3)
  const square = mean((i) => t(i) ** 2)
  const bent = (i: number) => t(i) ** 2 - tilt * t(i) - square
  const along = (of: (i: number) => number): number => {
    const length = mean((i) => of(i) ** 2)
    return length > 1e-9 ? mean((i) => of(i) * ys[i]) / length : 0
  }
  const slope = along(t)
  const bend = along(bent)
  return {
    centre,
    width,
    intercept: mean((i) => ys[i]) - bend * square,
    slope: slope - bend * tilt,
    bend,
  }
}

/** The value at x where it may neither fall as x rises nor be below 0. */
export function risingQuadraticAt(fit: Quadratic, x: number): number {
  const { centre, width, slope, bend } = fit
  const t = lastRising((x - centre) / width, slope, bend)
  return Math.max(0, fit.intercept + t * (slope + bend * t))
}

/** Where the parabola falls at t, its turning point instead; a falling line is taken at its centre. */
function lastRising(t: number, slope: number, bend: number): number {
  if (bend === 0) return slope < 0 ? 0 : t
  const turn = -slope / (2 * bend)
  return bend > 0 ? Math.max(t, turn) : Math.min(t, turn)
}
