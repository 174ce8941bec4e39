import { geometricInterval, type Interval } from '../metrics/bootstrap.ts'

/** One crawl: what it held at its end, and on average over its epochs. */
export interface BucketsRun {
  readonly archive: string
  readonly sample: number
  readonly buckets: number
  readonly fetches: number
  readonly pages: number
  /** Of them: those that are not any more what they say. */
  readonly stale: number
  readonly quality: number
  readonly meanQuality: number
}

/** Quality in many buckets, in times of that in the fewest, on the same web and with the same searchers. */
export interface BucketsRatio {
  readonly archive: string
  readonly buckets: number
  readonly crawls: number
  readonly quality?: Interval
  readonly meanQuality?: Interval
}

const ALL = 'all'

/** Of each archive, and of all together: geometric means over pairs of crawls. */
export function bucketRatios(runs: readonly BucketsRun[], seed: number): BucketsRatio[] {
  const pairs = runs.flatMap((run) => {
    const twins = runs.filter((one) => one.archive === run.archive && one.sample === run.sample)
    const few = twins.reduce((least, one) => (one.buckets < least.buckets ? one : least))
    return run === few ? [] : [{ run, few }]
  })
  const archives = [...new Set(runs.map(({ archive }) => archive)), ALL]
  const counts = [...new Set(pairs.map(({ run }) => run.buckets))]
  return archives.flatMap((archive) =>
    counts.map((buckets) => {
      const own = pairs.filter(
        ({ run }) => run.buckets === buckets && (archive === ALL || run.archive === archive),
      )
      const ratio = (measure: 'quality' | 'meanQuality') =>
        geometricInterval(
          Float64Array.from(own, ({ run, few }) => run[measure] / few[measure]),
          { seed },
        )
      const [quality, meanQuality] = [ratio('quality'), ratio('meanQuality')]
      return { archive, buckets, crawls: own.length, quality, meanQuality }
    }),
  )
}
