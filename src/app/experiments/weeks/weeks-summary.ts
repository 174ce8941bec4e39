import { differenceInterval, type Interval, meanInterval } from '#lab/metrics/bootstrap.ts'
import type { Purpose } from '#policy/bids.ts'
import type { CrawledWeek } from '../../served/weekly-crawl.ts'

/** What one policy made of one archive. */
export interface WeeksFound {
  readonly archive: string
  readonly policy: string
  readonly weeks: readonly CrawledWeek[]
  /** Of the pages held at the end; null if the workload has no judgments. */
  readonly maxNdcg: number | null
}

/** What a crawl comes to, in one number each. */
export const MEASURES = [
  'quality',
  'qualityBefore',
  'maxNdcg',
  'weeksUnknown',
  'weeksUnheld',
] as const
export type Measure = (typeof MEASURES)[number]

/** One crawl over all its weeks. */
export interface WeeksRun extends Readonly<Record<Measure, number | null>> {
  readonly archive: string
  readonly policy: string
  readonly fetches: number
  readonly shares: Readonly<Record<Purpose, number>>
  /** Of the fetches: of URLs never fetched before. */
  readonly firstShare: number
  /** Of the pages born after the first week: found by the end. */
  readonly knownShare: number | null
  readonly requests: number
  readonly mostAtOnce: number
  readonly disallowed: number
  readonly unasked: number
  readonly seconds: number
}

export interface PolicyMeans {
  readonly policy: string
  readonly means: Readonly<Record<Measure, Interval | undefined>>
  /** The last policy's less this one's, on the same archives. */
  readonly leads: Readonly<Record<Measure, Interval | undefined>>
}

/** The weeks of a crawl as rows of the result. */
export function rowsOf({ archive, policy, weeks }: WeeksFound): object[] {
  return weeks.map(({ purposes, births, manners, ...week }) => ({
    archive,
    policy,
    ...week,
    ...purposes,
    born: births.born,
    bornKnown: births.known,
    bornHeld: births.held,
    ...manners,
  }))
}

/** All weeks of a crawl in one. */
export function runOf({ archive, policy, weeks, maxNdcg }: WeeksFound): WeeksRun {
  const sum = (value: (week: CrawledWeek) => number) =>
    weeks.reduce((total, week) => total + value(week), 0)
  const most = (value: (week: CrawledWeek) => number) => Math.max(...weeks.map(value))
  const { born, known, weeksUnknown, weeksUnheld } = weeks.at(-1)!.births
  const fetches = sum((week) => week.fetches)
  const share = (purpose: Purpose) => sum((week) => week.purposes[purpose]) / Math.max(1, fetches)
  return {
    archive,
    policy,
    quality: sum(({ quality }) => quality) / weeks.length,
    qualityBefore: sum(({ qualityBefore }) => qualityBefore) / weeks.length,
    maxNdcg,
    weeksUnknown,
    weeksUnheld,
    knownShare: born === 0 ? null : known / born,
    fetches,
    shares: {
      acquire: share('acquire'),
      refresh: share('refresh'),
      discover: share('discover'),
    },
    firstShare: sum(({ firsts }) => firsts) / Math.max(1, fetches),
    requests: sum(({ manners }) => manners.requests),
    mostAtOnce: most(({ manners }) => manners.mostAtOnce),
    disallowed: sum(({ manners }) => manners.disallowed),
    unasked: sum(({ manners }) => manners.unasked),
    seconds: sum(({ seconds }) => seconds),
  }
}

/** A policy's means over archives, and the lead of the last policy where both have a number. */
export function meansOf(
  policy: string,
  last: string,
  runs: readonly WeeksRun[],
  seed: number,
): PolicyMeans {
  const ours = runs.filter((run) => run.policy === policy)
  const lastOn = (archive: string) =>
    runs.find((run) => run.policy === last && run.archive === archive)
  const each = (interval: (measure: Measure) => Interval | undefined) =>
    Object.fromEntries(MEASURES.map((measure) => [measure, interval(measure)])) as Record<
      Measure,
      Interval | undefined
    >
  return {
    policy,
    means: each((measure) =>
      meanInterval(Float64Array.from(ours.flatMap((run) => run[measure] ?? [])), { seed }),
    ),
    leads: each((measure) => {
      const pairs = ours.flatMap((run) => {
        const [theirs, own] = [lastOn(run.archive)?.[measure] ?? null, run[measure]]
        return theirs === null || own === null ? [] : [[theirs, own]]
      })
      const column = (i: number) => Float64Array.from(pairs, (pair) => pair[i])
      return differenceInterval(column(0), column(1), { seed })
    }),
  }
}

/** By week: the mean over archives that have it. */
export function weeklyMeans(
  found: readonly WeeksFound[],
  value: (week: CrawledWeek) => number,
): [week: number, mean: number][] {
  const byWeek = Map.groupBy(
    found.flatMap(({ weeks }) => weeks),
    ({ week }) => week,
  )
  return [...byWeek]
    .sort(([a], [b]) => a - b)
    .map(([week, all]) => [week, all.reduce((sum, one) => sum + value(one), 0) / all.length])
}
