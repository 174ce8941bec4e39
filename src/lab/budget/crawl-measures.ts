import { PURPOSES, type Purpose } from '#policy/bids.ts'
import { NOTHING } from '../refresh/weekly-pages.ts'
import type { CrawlWeek, SimulatedCrawl } from './simulate-crawl.ts'
import { NEVER } from './simulated-crawler.ts'
import type { BudgetWorld } from './world.ts'

/** A week in which more than this share of the pages vanishes is a mass deletion. */
const MASS_SHARE = 0.1
/** How good the answers are is also told for so many weeks from the deletion on. */
const AFTERMATH_WEEKS = 8
/** A crawl has recovered when so much of the quality lost is back. */
const RECOVERED_SHARE = 0.9

/** The mean over weeks of quality just before and just after the fetches. */
export function meanQuality(weeks: readonly CrawlWeek[]): number {
  return weeks.reduce((sum, { before, after }) => sum + (before + after) / 2, 0) / weeks.length
}

/** Which part of all fetches was for what. */
export function sharesByTask(weeks: readonly CrawlWeek[]): Record<Purpose, number> {
  const counts = PURPOSES.map((task) => weeks.reduce((sum, { fetches }) => sum + fetches[task], 0))
  const total = counts.reduce((sum, count) => sum + count, 0)
  return Object.fromEntries(
    PURPOSES.map((task, i) => [task, total > 0 ? counts[i] / total : 0]),
  ) as Record<Purpose, number>
}

/** Weeks from birth until pages that came after the start were known, and held. */
interface BirthDelays {
  /** Undefined where no page came. */
  readonly discoveryDelay: number | undefined
  readonly holdingDelay: number | undefined
}

/** Means over all pages that came; those never known, or never held, wait until they go or the recording ends. */
export function birthDelays(
  { bornAt, pages: { weeks, contents } }: BudgetWorld,
  { knownAt, heldAt }: Pick<SimulatedCrawl, 'knownAt' | 'heldAt'>,
): BirthDelays {
  let [born, toKnown, toHeld] = [0, 0, 0]
  for (const [page, birth] of bornAt.entries()) {
    if (birth === 0 || birth >= weeks) continue
    born++
    const waited = (until: number) => {
      if (until !== NEVER) return Math.max(0, until - birth)
      let week = birth
      while (week < weeks && contents[page * weeks + week] !== NOTHING) week++
      return week - birth
    }
    toKnown += waited(knownAt[page])
    toHeld += waited(heldAt[page])
  }
  return {
    discoveryDelay: born > 0 ? toKnown / born : undefined,
    holdingDelay: born > 0 ? toHeld / born : undefined,
  }
}

/** The weeks in which more than a tenth of the pages vanish. */
export function massDeletions({ pages, liveCounts }: BudgetWorld): number[] {
  const { weeks, contents, changedPages } = pages
  return Array.from({ length: weeks }, (_, week) => week).filter((week) => {
    const vanished = changedPages[week].filter((page) => contents[page * weeks + week] === NOTHING)
    return week > 0 && vanished.length > MASS_SHARE * liveCounts[week - 1]
  })
}

/** How a crawl coped with a mass deletion. */
interface Recovery {
  readonly week: number
  /** Quality lost by the deletion. */
  readonly lost: number
  /** Weeks of fetching until nine tenths of it were back; undefined if that never happened. */
  readonly weeks: number | undefined
  /** Mean quality of the eight weeks from the deletion on: who holds little has little to lose. */
  readonly quality: number
}

/** How each mass deletion was got over; those that cost nothing, or come before there is a plan, are left out. */
export function recoveries(deletions: readonly number[], weeks: readonly CrawlWeek[]): Recovery[] {
  return deletions.flatMap((week) => {
    const at = weeks.findIndex((one) => one.week === week)
    if (at < 1) return []
    const low = weeks[at].before
    const lost = weeks[at - 1].after - low
    if (!(lost > 0)) return []
    const back = weeks.findIndex(({ after }, i) => i >= at && after >= low + RECOVERED_SHARE * lost)
    const quality = meanQuality(weeks.slice(at, at + AFTERMATH_WEEKS))
    return { week, lost, weeks: back < 0 ? undefined : back - at + 1, quality }
  })
}
