import { NOBODY } from '#frontier/urls/url-states.ts'
import { BoundHeap } from '#numeric/bound-heap.ts'
import type { YieldExpectations } from '../yields/yield-facts.ts'

/** Pages worth a revisit, best first, and how many new pages each is expected to lead to. */
interface RevisitPlan {
  readonly pages: Uint32Array
  readonly expected: Float64Array
}

/**
 * The pages to revisit, at most so many: always the one expected to lead to most new pages, given those
 * chosen before it.
 *
 * @paper DasguptaEtAl2007 §6 — rates of a Gamma-Poisson model in place of payoff probabilities.
 */
export function planRevisits(
  { pages: known, own, shared, rivals }: YieldExpectations,
  most: number,
): RevisitPlan {
  const chosen = new Set<number>()
  const expectedOf = (i: number) => {
    const isLeft = rivals[i] === NOBODY || !chosen.has(rivals[i])
    return own[i] + (isLeft ? shared[i] : 0)
  }
  const heap = new BoundHeap(Float64Array.from(known, (_, i) => expectedOf(i)))
  const expected: number[] = []
  while (chosen.size < most && heap.bound >= 0) {
    const i = heap.top
    const value = expectedOf(i)
    if (value < heap.bound) {
      heap.lower(value)
      continue
    }
    chosen.add(known[i])
    expected.push(value)
    heap.lower(-1)
  }
  return { pages: Uint32Array.from(chosen), expected: Float64Array.from(expected) }
}
