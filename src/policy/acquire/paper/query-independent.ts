import { fitIsotonic, type Isotonic, isotonicAt } from '#numeric/learning/isotonic.ts'
import { fitQuadratic, type Quadratic, quadraticAt } from '#numeric/learning/quadratic-fit.ts'

/** How impact follows importance, as plain data. */
export type ImportanceFit =
  | { readonly form: 'quadratic'; readonly quadratic: Quadratic }
  | { readonly form: 'isotonic'; readonly isotonic: Isotonic }

/**
 * Learns from fetched pages how impact follows importance: by a parabola, or by any function that rises.
 *
 * @paper PandeyOlston2008 §5.4 — the function that rises is ours.
 */
export function fitImportance(
  importance: ArrayLike<number>,
  impacts: ArrayLike<number>,
  form: ImportanceFit['form'] = 'quadratic',
): ImportanceFit {
  return form === 'quadratic'
    ? { form, quadratic: fitQuadratic(importance, impacts) }
    : { form, isotonic: fitIsotonic(importance, impacts) }
}

/** The impact of a page of that importance: never below 0, and never falling as importance rises. */
export function impactAt(fit: ImportanceFit, importance: number): number {
  if (fit.form === 'quadratic')
    return quadraticAt(fit.quadratic, importance, { floor: true, rising: true })
  const impact = isotonicAt(fit.isotonic, importance)
  return Number.isNaN(impact) ? 0 : Math.max(0, impact)
}

/**
 * Impact by importance for each page, and where that is flat a trace more for the more important: among
 * pages that are expected to be worth the same, importance still decides.
 */
export function impactsByImportance(
  fit: ImportanceFit,
  importance: ArrayLike<number>,
): Float64Array {
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
