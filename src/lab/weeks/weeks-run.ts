import type { Purpose } from '#policy/bids.ts'
import type { PolicyRun } from '../metrics/policy-means.ts'
import { sumOf } from '../report/rows.ts'
import type { CrawledWeek } from './weekly-crawl.ts'

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
export interface WeeksRun extends PolicyRun<Measure> {
  readonly fetches: number
  readonly shares: Readonly<Record<Purpose, number>>
  /** Of the fetches: of URLs never fetched before. */
  readonly firstShare: number
  /** Of the pages born after the first week: found by the end. */
  readonly knownShare: number | null
}

/** A week of a crawl as a row of the result. */
export type WeekRow = ReturnType<typeof weekRow> & {
  readonly archive: string
  readonly policy: string
}

export function weekRow({ purposes, births, price: _, ...week }: CrawledWeek) {
  const { born, known: bornKnown, held: bornHeld } = births
  return { ...week, ...purposes, born, bornKnown, bornHeld }
}

/** All weeks of a crawl in one. */
export function weeksRun(weeks: readonly CrawledWeek[], maxNdcg: number | null) {
  const { born, known, weeksUnknown, weeksUnheld } = weeks.at(-1)!.births
  const fetches = sumOf(weeks, 'fetches')
  const share = (purpose: Purpose) =>
    sumOf(weeks, ({ purposes }) => purposes[purpose]) / Math.max(1, fetches)
  return {
    quality: sumOf(weeks, 'quality') / weeks.length,
    qualityBefore: sumOf(weeks, 'qualityBefore') / weeks.length,
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
    firstShare: sumOf(weeks, 'firsts') / Math.max(1, fetches),
  } satisfies Omit<WeeksRun, 'archive' | 'policy'>
}
