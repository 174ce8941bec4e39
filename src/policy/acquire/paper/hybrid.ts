/** What each of two estimates of a page's impact counts for in their sum. */
export interface HybridWeights {
  readonly query: number
  readonly independent: number
}

/**
 * The weights as printed.
 *
 * @paper PandeyOlston2008 §5.4
 */
export const PRINTED_WEIGHTS: HybridWeights = { query: 0.9, independent: 0.1 }

/** The sum of both estimates, each with its weight. */
export function hybridImpact(
  { query, independent }: HybridWeights,
  byQueries: number,
  byImportance: number,
): number {
  return query * byQueries + independent * byImportance
}

/** What both estimates said of pages before their fetch, and what came of them; the arrays go together. */
export interface Trials {
  readonly byQueries: Float64Array
  readonly byImportance: Float64Array
  readonly impacts: Float64Array
  /** The half each page belongs to: one is judged by what the other taught. */
  readonly halves: Uint8Array
}

/**
 * Weights by precision: each estimate is brought to the scale of the impacts, by the pages of the other
 * half, and then counts in inverse proportion to its squared error. Where nothing came of any page, the
 * weights as printed.
 */
export function precisionWeights({
  byQueries,
  byImportance,
  impacts,
  halves,
}: Trials): HybridWeights {
  const queryTrial = tryEstimate(byQueries, impacts, halves)
  const independentTrial = tryEstimate(byImportance, impacts, halves)
  if (queryTrial.scale === 0 && independentTrial.scale === 0) return PRINTED_WEIGHTS
  const [queryError, independentError] = [queryTrial.error, independentTrial.error]
  const share =
    queryError + independentError > 0 ? independentError / (queryError + independentError) : 0.5
  return {
    query: share * queryTrial.scale,
    independent: (1 - share) * independentTrial.scale,
  }
}

interface TriedEstimate {
  /** Impact per unit of the estimate. */
  readonly scale: number
  /** Mean squared error after scaling, of pages that the scale was not taken from. */
  readonly error: number
}

function tryEstimate(
  estimates: Float64Array,
  impacts: Float64Array,
  halves: Uint8Array,
): TriedEstimate {
  const products = [0, 0]
  const squares = [0, 0]
  for (let i = 0; i < estimates.length; i++) {
    products[halves[i]] += estimates[i] * impacts[i]
    squares[halves[i]] += estimates[i] ** 2
  }
  const scaleOf = (product: number, square: number) => (square > 0 ? product / square : 0)
  const scales = [scaleOf(products[1], squares[1]), scaleOf(products[0], squares[0])]
  let error = 0
  for (let i = 0; i < estimates.length; i++)
    error += (impacts[i] - scales[halves[i]] * estimates[i]) ** 2
  return {
    scale: scaleOf(products[0] + products[1], squares[0] + squares[1]),
    error: error / Math.max(1, estimates.length),
  }
}
