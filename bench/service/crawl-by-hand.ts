import { openCrawl } from '#library/crawl.ts'
import { openLiveWeb } from '#library/open/web.ts'
import { importQueryLogs } from '#library/queries/import-log.ts'
import { settingsFrom } from '#library/settings/crawl-options.ts'
import type { WeeklyJudge } from '../anchors/weekly-judge.ts'
import { CrawlFiles, halfTimeOf, snapshotOf, startOf, type WeeksPlan } from './weeks-plan.ts'
import { serveWeeks, WEEK_SECONDS } from './weeks-web.ts'

/**
 * The same crawl by hand: at the beginning of each week it fetches what a service may in a week, and plans as often. Gives
 * the quality after each day's fetches: what a service has spent at the end of that day.
 */
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
    const { quietHours: _, ...usual } = files.options(isLate)
    const options = { ...usual, batch: plan.burst }
    await importQueryLogs([files.log], { dir: files.dir, format: 'csv' })
    const { settings } = settingsFrom(options)
    const web = await openLiveWeb(settings, [], { clock: { now: () => now } })
    await using crawl = await openCrawl(options, { web })
    const { state } = crawl.opened
    const [before, days] = [state.spent, [] as Promise<number>[]]
    const judged = { index: state.indexer!.index, addressOf: (url: number) => state.frontier.urls.urlOf(url) } // biome-ignore format: one object
    const cycle = () => {
      const today = judge.qualityOf(judged, snapshotOf(plan, week))
      while (state.spent >= before + (days.length + 1) * fetchesADay) days.push(today)
    }
    await crawl.run({ budget: before + 7 * fetchesADay, on: { cycle } })
    const last = judge.qualityOf(judged, snapshotOf(plan, week))
    while (days.length < 7) days.push(last)
    qualities.push(...(await Promise.all(days)))
  }
  await server.close()
  return qualities
}
