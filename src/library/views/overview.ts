import type { CycleReport, Stretch } from '#repository/reports/time-reports.ts'
import { type CrawlProgress, runningCrawl } from '../control/progress-file.ts'
import { type Standing, type StoredStatus, standingOf, storedStatus } from '../status/status.ts'
import { findProblems, type Problem } from './problems.ts'
import type { Look, WholeLook } from './watched-crawl.ts'

/** How a crawl is going. */
export interface Overview {
  readonly dir: string
  /** The time it is told for, seconds since 1970. */
  readonly at: number
  /** What a crawl that runs tells of itself just now. */
  readonly running?: CrawlProgress
  /** As `forager status` tells it while nothing runs, as far as tables tell it. */
  readonly status: StoredStatus
  /** Fetches paid for, by stretches of time. */
  readonly stretchSeconds: number
  readonly stretches: readonly Stretch[]
  /** What was spent and gained by then, and at which price. */
  readonly course: readonly CoursePoint[]
  readonly problems: readonly Problem[]
}

/** Where a crawl stood when a cycle ended. */
interface CoursePoint {
  readonly cycle: number
  readonly at: number
  readonly fetches: number
  readonly gained: number
  readonly price?: number
}

/** More points than these no picture can show. */
const MOST_POINTS = 200
const MOST_STRETCHES = 60
const STRETCHES = [10, 60, 300, 900, 3_600, 6 * 3_600, 86_400, 7 * 86_400, 30 * 86_400]

/** How a crawl is going, by its tables and by what it tells just now. */
export async function overview(look: Look): Promise<Overview> {
  const { at, settings } = look
  const { dir } = settings
  const stored = await look.once('overview', () => storedOverview(look))
  const running = runningCrawl(dir)
  const problems = await findProblems(look, stored.status, running)
  return { dir, at, running, ...stored, problems }
}

/** What more `forager status` tells, once the whole log was gone through. */
export function standing(look: WholeLook): Promise<Standing> {
  return look.once('standing', () => standingOf(look.view.opened))
}

async function storedOverview({ tables, settings }: Look) {
  const { time } = tables.store.reports
  const status = await storedStatus(settings.dir, tables)
  const { first = 0, last = 0 } = await time.span()
  const stretchSeconds =
    STRETCHES.find((seconds) => (last - first) / seconds <= MOST_STRETCHES) ?? STRETCHES.at(-1)!
  return {
    status,
    stretchSeconds,
    stretches: await time.stretches(stretchSeconds),
    course: thinned(courseOf(await time.cycles())),
  }
}

/** What all cycles up to each came to. */
function courseOf(cycles: readonly CycleReport[]): CoursePoint[] {
  let [fetches, gained] = [0, 0]
  return cycles.map(({ cycle, at, price, ...did }) => {
    fetches += did.fetches
    gained += did.gain ?? 0
    return { cycle, at, fetches, gained, price }
  })
}

/** Some of them at equal distances, the last among them. */
function thinned<T>(points: readonly T[]): T[] {
  const step = Math.max(1, Math.ceil(points.length / MOST_POINTS))
  return points.filter((_, i) => (points.length - 1 - i) % step === 0)
}
