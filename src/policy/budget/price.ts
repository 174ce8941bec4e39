/** A price moves so far towards what the latest plan would have it. */
const PACE = 0.3

/** What the last fetch is worth that a budget affords: 0 if it affords all. */
export function marginalGain(gains: Float64Array, affords: number): number {
  if (affords >= gains.length || affords <= 0) return 0
  return gains.slice().sort()[gains.length - affords]
}

/** The price after another plan: one plan may be an odd one, so it moves slowly. */
export function smoothedPrice(before: number | undefined, now: number): number {
  return before === undefined ? now : before + PACE * (now - before)
}
