import { seededRandom } from '#numeric/random.ts'

/** A number measured on a sample, and between which bounds that of the whole population likely lies. */
export interface Interval {
  readonly estimate: number
  /** Left out of a sample of one, which says nothing about others. */
  readonly low?: number
  readonly high?: number
}

/** As in "0.412 (0.380 to 0.446)". */
export function intervalText({ estimate, low, high }: Interval): string {
  const bounds =
    low === undefined || high === undefined ? '' : ` (${low.toFixed(3)} to ${high.toFixed(3)})`
  return `${estimate.toFixed(3)}${bounds}`
}

interface BootstrapOptions {
  readonly seed: number
  readonly resamples?: number
  /** How often the bounds hold the truth, 0 to 1. */
  readonly confidence?: number
}

/**
 * The mean over a sample of queries or sites with its confidence interval (percentile bootstrap);
 * undefined for an empty sample.
 */
export function meanInterval(
  values: Float64Array,
  options: BootstrapOptions,
): Interval | undefined {
  return meanIntervals([values], options)[0]
}

/** The geometric mean of ratios, all above 0, over a sample of sites, with its confidence interval. */
export function geometricInterval(
  ratios: Float64Array,
  options: BootstrapOptions,
): Interval | undefined {
  const logs = meanInterval(ratios.map(Math.log), options)
  if (logs === undefined) return undefined
  const { estimate, low, high } = logs
  return {
    estimate: Math.exp(estimate),
    low: low === undefined ? undefined : Math.exp(low),
    high: high === undefined ? undefined : Math.exp(high),
  }
}

/** Means with their intervals of several measures of one sample, say many policies over the same queries, at less cost. */
export function meanIntervals(
  measures: readonly Float64Array[],
  options: BootstrapOptions,
): (Interval | undefined)[] {
  return resampledMeans(measures, options).map((means, i) =>
    measures[i].length === 1
      ? { estimate: measures[i][0] }
      : percentileInterval(meanOf(measures[i]), means, options),
  )
}

/** Mean of `a` less mean of `b`, where a[i] and b[i] belong to the same query or site. */
export function differenceInterval(
  a: Float64Array,
  b: Float64Array,
  options: BootstrapOptions,
): Interval | undefined {
  checkPaired(a, b)
  return meanInterval(
    a.map((value, i) => value - b[i]),
    options,
  )
}

/** For each measure its means over samples drawn, with replacement, from the sample at hand. */
function resampledMeans(
  measures: readonly Float64Array[],
  { seed, resamples = 1000 }: BootstrapOptions,
): Float64Array[] {
  const size = measures[0]?.length ?? 0
  for (const values of measures) checkPaired(values, measures[0])
  const random = seededRandom(seed)
  const means = measures.map(() => new Float64Array(resamples))
  const timesDrawn = new Float64Array(size)
  for (let resample = 0; resample < resamples; resample++) {
    timesDrawn.fill(0)
    for (let i = 0; i < size; i++) timesDrawn[random.below(size)]++
    for (const [measure, values] of measures.entries())
      means[measure][resample] = sumOfDrawn(values, timesDrawn) / size
  }
  return means
}

function sumOfDrawn(values: Float64Array, timesDrawn: Float64Array): number {
  let sum = 0
  for (let i = 0; i < values.length; i++) sum += timesDrawn[i] * values[i]
  return sum
}

/** Cuts the same share off both ends of what resampling gave; sorts it in place. */
function percentileInterval(
  estimate: number,
  resampled: Float64Array,
  { confidence = 0.95 }: BootstrapOptions,
): Interval | undefined {
  if (!Number.isFinite(estimate) || resampled.length === 0) return undefined
  const sorted = resampled.sort()
  const cut = Math.floor(((1 - confidence) / 2) * sorted.length)
  return { estimate, low: sorted[cut], high: sorted[sorted.length - 1 - cut] }
}

/** Not a number for no values. */
function meanOf(values: Float64Array): number {
  let sum = 0
  for (let i = 0; i < values.length; i++) sum += values[i]
  return sum / values.length
}

function checkPaired(a: Float64Array, b: Float64Array): void {
  if (a.length !== b.length) throw new Error(`${a.length} values do not pair with ${b.length}`)
}
