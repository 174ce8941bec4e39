import { digitCounts, placesWith } from '#numeric/select/digit-counts.ts'
import { narrow, nthLargest, seekRank } from '#numeric/select/select-digits.ts'

/** A price moves so far towards what the latest plan would have it. */
const PACE = 0.3

/** What the last fetch is worth that a budget affords: 0 if it affords all. Some may cost more than 1. */
export function marginalGain(
  gains: Float64Array,
  affords: number,
  costOf?: (place: number) => number | undefined,
): number {
  if (costOf) return marginalGainByCost(gains, affords, costOf)
  if (affords >= gains.length || affords <= 0) return 0
  return nthLargest(gains, affords)
}

function marginalGainByCost(
  gains: Float64Array,
  affords: number,
  costOf: (place: number) => number | undefined,
): number {
  const cost = (place: number) => costOf(place) ?? 1
  const values = { values: gains }
  const at = narrow(seekRank(affords + 1), digitCounts(values, [], cost))
  if (at === undefined) return 0
  let left = at.rank
  return gains[
    placesWith(values, at.leading)
      .sort((a, b) => gains[b] - gains[a])
      .find((place) => {
        left -= cost(place)
        return left <= 0
      })!
  ]
}

/** The price after another plan: one plan may be an odd one, so it moves slowly. */
export function smoothedPrice(before: number | undefined, now: number): number {
  return before === undefined ? now : before + PACE * (now - before)
}
