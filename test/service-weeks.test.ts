import { expect, test } from 'vitest'
import { archiveOf } from '#archive/format/assemble-archive.ts'
import { generateModelWeb } from '#lab/model-web/generate.ts'
import { cases, isThorough } from '#numeric/cases.test-kit.ts'
import { temporaryFolder } from '#repository/temporary-folder.test-kit.ts'
import { WeeklyJudge } from '../bench/anchors/weekly-judge.ts'
import { crawlByHand } from '../bench/service/crawl-by-hand.ts'
import { liveThroughWeeks } from '../bench/service/live-through-weeks.ts'

/** Where tests are thorough; `npm run bench -- service` has half a year. */
const WEEKS = cases(1, 8)
const KILLS = 1 + WEEKS

test.runIf(isThorough)(
  'a service lives through weeks and kills: rate and quiet hours hold, nothing is lost, all that comes is taken in',
  async () => {
    const folder = temporaryFolder()
    const records = generateModelWeb({ seed: 9, pages: 500, weeks: WEEKS })
    const archive = archiveOf(records)
    const queries = records.workload!.queries.slice(0, 40)
    const rate = { fetchesADay: 40, burst: 40 }
    const plan = { folder, archive, queries, weeks: WEEKS, kills: KILLS, ...rate, seed: 3 }
    const judge = isThorough ? new WeeklyJudge(archive, queries) : undefined
    for (let week = 0; week < WEEKS; week++) await judge?.prepare(week)
    const service = await liveThroughWeeks(plan, judge)

    expect(service).toMatchObject({ kills: KILLS, inQuietHours: 0, lost: 0, loggedTwice: 0 })
    expect(service).toMatchObject({ queries: queries.length, lateUrls: 0 })
    expect(service.worstDay).toBeLessThanOrEqual(1)
    expect(service.worstSpan).toBeLessThanOrEqual(1)
    expect(service.lateSeeds).toBeGreaterThan(0)
    // A rate that is not used would be easy to keep.
    expect(service.requests).toBeGreaterThan(0.6 * 7 * WEEKS * rate.fetchesADay)

    if (!judge) return
    const byHand = await crawlByHand(plan, judge)
    const mean = (all: readonly number[]) => all.reduce((sum, one) => sum + one, 0) / all.length
    // Single crawls of the first weeks differ by some hundredths; the benchmark has more weeks and webs.
    expect(mean(service.qualities)).toBeGreaterThan(0.9 * mean(byHand))
  },
  300_000,
)
