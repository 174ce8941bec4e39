import type { Visibility } from '#search/gain/visibility.ts'

/** A query and the pages that answer it, best first, each once. */
interface RankedQuery {
  /** How often it is asked. */
  readonly weight: number
  readonly results: ArrayLike<number>
}

/**
 * How often searchers see each page, by page number. The lists must rank all pages there are, held
 * or not. `rankMass` then tells the impact of a set.
 *
 * @paper PandeyOlston2008 §3.1
 */
export function impactOfPages(
  queries: Iterable<RankedQuery>,
  visibility: Visibility,
  pageCount: number,
): Float64Array {
  const impacts = new Float64Array(pageCount)
  for (const { weight, results } of queries)
    for (let i = 0; i < results.length; i++) impacts[results[i]] += weight * visibility(i + 1)
  return impacts
}
