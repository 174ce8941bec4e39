import { NOTHING } from '../refresh/weekly-pages.ts'
import type { CrawledWeek } from '../weeks/weekly-crawl.ts'
import type { WeeklyTruth } from '../weeks/weekly-truth.ts'

/** How good the answers were in a week. */
type WeekQuality = Pick<CrawledWeek, 'week' | 'quality' | 'qualityBefore' | 'qualityAfter'>

/** A week in which more than this share of the pages vanishes is a mass deletion. */
const MASS_SHARE = 0.1
/** How good the answers are is also told for so many weeks from the deletion on. */
const AFTERMATH_WEEKS = 8
/** A crawl has recovered when so much of the quality lost is back. */
const RECOVERED_SHARE = 0.9

/** The mean over weeks. */
export function meanQuality(weeks: readonly Pick<CrawledWeek, 'quality'>[]): number {
  return weeks.reduce((sum, { quality }) => sum + quality, 0) / weeks.length
}

/** The weeks in which more than a tenth of the pages vanish. */
export function massDeletions(truth: WeeklyTruth): number[] {
  const { weeks, changedPages } = truth.pages
  return Array.from({ length: weeks }, (_, week) => week).filter((week) => {
    const vanished = changedPages[week].filter((page) => truth.contentAt(page, week) === NOTHING)
    return week > 0 && vanished.length > MASS_SHARE * truth.fetchable[week - 1]
  })
}

/** How a crawl coped with a mass deletion. */
export interface Recovery {
  readonly week: number
  /** Quality lost by the deletion. */
  readonly lost: number
  /** Weeks of fetching until nine tenths of it were back; null if that never happened. */
  readonly weeks: number | null
  /** Mean quality of the eight weeks from the deletion on: who holds little has little to lose. */
  readonly quality: number
}

/** How each mass deletion was got over; those that cost nothing, or come before there is a plan, are left out. */
export function recoveries(
  deletions: readonly number[],
  weeks: readonly WeekQuality[],
): Recovery[] {
  return deletions.flatMap((week) => {
    const at = weeks.findIndex((one) => one.week === week)
    if (at < 1) return []
    const low = weeks[at].qualityBefore
    const lost = weeks[at - 1].qualityAfter - low
    if (!(lost > 0)) return []
    const back = weeks.findIndex(
      ({ qualityAfter }, i) => i >= at && qualityAfter >= low + RECOVERED_SHARE * lost,
    )
    const quality = meanQuality(weeks.slice(at, at + AFTERMATH_WEEKS))
    return { week, lost, weeks: back < 0 ? null : back - at + 1, quality }
  })
}
