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
  return inOrder(gains.slice(), gains.length - affords)
}

function marginalGainByCost(
  gains: Float64Array,
  affords: number,
  costOf: (place: number) => number | undefined,
): number {
  let left = affords
  for (const place of Uint32Array.from(gains.keys()).sort((a, b) => gains[b] - gains[a])) {
    left -= costOf(place) ?? 1
    if (left < 0) return gains[place]
  }
  return 0
}

/** The price after another plan: one plan may be an odd one, so it moves slowly. */
export function smoothedPrice(before: number | undefined, now: number): number {
  return before === undefined ? now : before + PACE * (now - before)
}

/** What would be at that place if the values were sorted, ascending; moves them about (Hoare's selection). */
function inOrder(values: Float64Array, place: number): number {
  let [first, last] = [0, values.length - 1]
  while (first < last) {
    const pivot = middling(values[first], values[(first + last) >> 1], values[last])
    let [left, right] = [first, last]
    while (left <= right) {
      while (values[left] < pivot) left++
      while (values[right] > pivot) right--
      if (left > right) break
      const value = values[left]
      values[left++] = values[right]
      values[right--] = value
    }
    if (place <= right) last = right
    else if (place >= left) first = left
    else return pivot
  }
  return values[place]
}

function middling(a: number, b: number, c: number): number {
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c))
}
