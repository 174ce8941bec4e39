import { fitQuadratic, type Quadratic, risingQuadraticAt } from '#numeric/learning/quadratic-fit.ts'

/**
 * Learns from fetched pages how impact follows importance: by a parabola.
 *
 * @paper PandeyOlston2008 §5.4
 */
export function fitImportance(
  importance: ArrayLike<number>,
  impacts: ArrayLike<number>,
): Quadratic {
  return fitQuadratic(importance, impacts)
}

/** The impact of a page of that importance: never below 0, and never falling as importance rises. */
export function impactAt(fit: Quadratic, importance: number): number {
  return risingQuadraticAt(fit, importance)
}

/**
 * Impact by importance for each page, and where that is flat a trace more for the more important: among
 * pages that are expected to be worth the same, importance still decides.
 */
export function impactsByImportance(fit: Quadratic, importance: ArrayLike<number>): Float64Array {
  let [most, total] = [0, 0]
  const impacts = new Float64Array(importance.length)
  for (let i = 0; i < impacts.length; i++) {
    impacts[i] = impactAt(fit, importance[i])
    most = Math.max(most, importance[i])
    total += impacts[i]
  }
  if (most === 0) return impacts
  const trace = TRACE * (total > 0 ? total / impacts.length : 1)
  for (let i = 0; i < impacts.length; i++) impacts[i] += (trace * importance[i]) / most
  return impacts
}

/** Of the mean impact. */
const TRACE = 1e-6
