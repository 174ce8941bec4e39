/** A power law fitted to the tail of a count: P(k) ~ k^-exponent for k of at least `from`. */
interface PowerLawTail {
  readonly exponent: number
  /** About two thirds of the fits to such samples lie within this. */
  readonly standardError: number
  readonly from: number
  /** How many values the tail has. */
  readonly size: number
}

/**
 * The exponent under which the values of at least `from` are likeliest; undefined for a tail too
 * short or too even to have one.
 *
 * @paper ClausetShaliziNewman2009 — `from` is given, not estimated.
 */
export function powerLawTail(values: ArrayLike<number>, from: number): PowerLawTail | undefined {
  let size = 0
  let logs = 0
  for (let i = 0; i < values.length; i++) {
    if (values[i] < from) continue
    size++
    logs += Math.log(values[i])
  }
  const meanLog = logs / size
  if (size < 2 || meanLog <= Math.log(from)) return undefined
  // Per value; unimodal in the exponent, so thirds of the interval can be thrown away.
  const loss = (exponent: number) => Math.log(hurwitzZeta(exponent, from)) + exponent * meanLog
  let low = 1.0001
  let high = 20
  while (high - low > 1e-7) {
    const third = (high - low) / 3
    if (loss(low + third) < loss(high - third)) high -= third
    else low += third
  }
  const exponent = (low + high) / 2
  const step = 1e-3
  const curvature = (loss(exponent + step) - 2 * loss(exponent) + loss(exponent - step)) / step ** 2
  return { exponent, standardError: 1 / Math.sqrt(size * curvature), from, size }
}

/** The sum of (start + n)^-exponent over n = 0, 1, …; the far end by Euler and Maclaurin. */
function hurwitzZeta(exponent: number, start: number): number {
  const near = 20
  let sum = 0
  for (let n = 0; n < near; n++) sum += (start + n) ** -exponent
  const end = start + near
  const last = end ** -exponent
  const slope = (exponent * last) / end
  const bend = (slope * (exponent + 1) * (exponent + 2)) / end ** 2
  return sum + (end * last) / (exponent - 1) + last / 2 + slope / 12 - bend / 720
}
