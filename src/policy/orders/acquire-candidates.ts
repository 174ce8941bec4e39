import type { Bids } from '../bids.ts'
import type { Facts } from '../facts/facts.ts'

/** A bid to acquire each candidate, with a gain and a reason that follow from the URL. */
export function acquireCandidates(
  facts: Pick<Facts, 'candidates'>,
  gainOf: (url: number) => number,
  whyOf: (url: number) => string,
): Bids {
  const { candidates } = facts
  const gains = new Float64Array(candidates.length)
  for (let i = 0; i < candidates.length; i++) gains[i] = gainOf(candidates[i])
  return { purpose: 'acquire', urls: candidates, gains, why: (i) => whyOf(candidates[i]) }
}
