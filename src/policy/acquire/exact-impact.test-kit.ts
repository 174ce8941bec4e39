import type { Random } from '#numeric/random.ts'
import type { Visibility } from '#search/gain/visibility.ts'

/** A page in a query's sketch: its score is known, or lies somewhere in a range. */
export interface SketchedPage {
  readonly page: number
  readonly low: number
  readonly high: number
}

/** A query with everything that may answer it, fetched or not. */
export interface ExactSketch {
  readonly weight: number
  readonly pages: readonly SketchedPage[]
}

/**
 * What fetching a set of pages is worth at least, whatever their scores turn out to be: for each query the
 * worst of all orders that the ranges allow. For a handful of pages a query.
 *
 * @paper PandeyOlston2008 §4.1
 */
export function worstCaseImpact(
  sketches: readonly ExactSketch[],
  fetched: ReadonlySet<number>,
  visibility: Visibility,
): number {
  let sum = 0
  for (const { weight, pages } of sketches) {
    let worst = Number.POSITIVE_INFINITY
    for (const order of possibleOrders(pages))
      worst = Math.min(worst, impactOf(order, fetched, visibility))
    sum += weight * worst
  }
  return sum
}

/**
 * The expected impact of each page by sampling scores evenly from their ranges; shares the samples among
 * the pages, so that sums over sets are exact for the samples drawn.
 *
 * @paper PandeyOlston2008 §4.2
 */
export function sampledImpacts(
  sketches: readonly ExactSketch[],
  visibility: Visibility,
  pageCount: number,
  samples: number,
  random: Random,
): Float64Array {
  const impacts = new Float64Array(pageCount)
  for (const { weight, pages } of sketches)
    for (let sample = 0; sample < samples; sample++) {
      const scored = pages.map(({ page, low, high }) => ({
        page,
        score: low + (high - low) * random.next(),
      }))
      scored.sort((a, b) => b.score - a.score)
      scored.forEach(({ page }, i) => {
        impacts[page] += (weight * visibility(i + 1)) / samples
      })
    }
  return impacts
}

/** All subsets of so many of the pages 0 to `pageCount` − 1. */
export function subsetsOf(pageCount: number, size: number): Set<number>[] {
  const subsets: Set<number>[] = []
  const choose = (from: number, chosen: readonly number[]) => {
    if (chosen.length === size) subsets.push(new Set(chosen))
    else for (let page = from; page < pageCount; page++) choose(page + 1, [...chosen, page])
  }
  choose(0, [])
  return subsets
}

function impactOf(
  order: readonly SketchedPage[],
  fetched: ReadonlySet<number>,
  visibility: Visibility,
): number {
  return order.reduce((sum, { page }, i) => sum + (fetched.has(page) ? visibility(i + 1) : 0), 0)
}

/** Orders, best first, in which nobody stands before one whose score must be higher. */
function* possibleOrders(rest: readonly SketchedPage[]): Generator<readonly SketchedPage[]> {
  if (rest.length === 0) yield []
  for (const first of rest) {
    const others = rest.filter((page) => page !== first)
    if (others.some(({ low }) => low > first.high)) continue
    for (const order of possibleOrders(others)) yield [first, ...order]
  }
}
