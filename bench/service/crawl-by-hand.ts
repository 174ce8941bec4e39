import { openCrawl } from '#library/crawl.ts'
import { openLiveWeb } from '#library/open/web.ts'
import { importQueryLogs } from '#library/queries/import-log.ts'
import { settingsFrom } from '#library/settings/crawl-options.ts'
import type { WeeklyJudge } from '../anchors/weekly-judge.ts'
import { CrawlFiles, halfTimeOf, snapshotOf, startOf, type WeeksPlan } from './weeks-plan.ts'
import { qualityIn, serveWeeks, WEEK_SECONDS } from './weeks-web.ts'

/** The same crawl by hand: at the beginning of each week it fetches what a service may in a week. Gives each week's quality. */
export async function crawlByHand(plan: WeeksPlan, judge: WeeklyJudge): Promise<number[]> {
  const { archive, weeks, fetchesADay } = plan
  const start = startOf(plan)
  let now = start
  const server = await serveWeeks({ archive, start, now: () => now, onAsked: () => {} })
  const files = new CrawlFiles(plan, 'by-hand', server.port)
  const qualities: number[] = []
  for (let week = 0; week < weeks; week++) {
    now = start + week * WEEK_SECONDS
    const isLate = now >= halfTimeOf(plan)
    files.write(isLate)
    const { quietHours: _, ...options } = files.options(isLate)
    await importQueryLogs([files.log], { dir: files.dir, format: 'csv' })
    const { settings } = settingsFrom(options)
    const web = openLiveWeb(settings, [], { clock: { now: () => now } })
    await using crawl = await openCrawl(options, { web })
    await crawl.run({ budget: crawl.opened.state.spent + 7 * fetchesADay })
    qualities.push(await qualityIn(files.dir, judge, snapshotOf(plan, week)))
  }
  await server.close()
  return qualities
}
