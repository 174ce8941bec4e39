import { archiveOf } from '#archive/format/assemble-archive.ts'
import { generateModelWeb } from '#lab/model-web/generate.ts'
import { WeeklyJudge } from './anchors/weekly-judge.ts'
import { benchmark, mustHold } from './harness/benchmark.ts'
import { rounded } from './harness/cost.ts'
import { inFolder } from './harness/in-folder.ts'
import { crawlByHand } from './service/crawl-by-hand.ts'
import { liveThroughWeeks } from './service/live-through-weeks.ts'

/** Of the weeks, in so many the web grows and changes; then it stands still. */
const LIVELY_SHARE = 0.6

export default benchmark({
  about:
    'Lets a service live through weeks in leaping time, killed on the way; compares it with weekly crawls by hand',
  flags: { pages: 600, weeks: 26, kills: 20, rate: 50, burst: 50, queries: 200, seed: 9 },
  async run({ pages, weeks, kills, rate: fetchesADay, burst, queries: most, seed }) {
    const lively = Math.ceil(LIVELY_SHARE * weeks)
    const records = generateModelWeb({ seed, pages, weeks: lively })
    const archive = archiveOf(records)
    const queries = records.workload!.queries.toSorted((a, b) => b.weight - a.weight).slice(0, most)
    const judge = new WeeklyJudge(archive, queries)
    for (let week = 0; week < lively; week++) await judge.prepare(week)
    return inFolder(async (folder) => {
      const say = (text: string) => console.error(text)
      const plan = { folder, archive, queries, weeks, kills, fetchesADay, burst, seed, say }
      const { qualities, sizes, ...service } = await liveThroughWeeks(plan, judge)
      const byHand = await crawlByHand(plan, judge)
      const mean = (all: readonly number[]) => all.reduce((sum, one) => sum + one, 0) / all.length
      const [quality, qualityByHand] = [rounded(mean(qualities)), rounded(mean(byHand))]
      const still = sizes.filter(({ week }) => week > lively + 2)
      const growth = { rssMb: spread(still.map(({ rssMb }) => rssMb)), tablesMb: spread(still.map(({ tablesMb }) => tablesMb)) } // biome-ignore format: one object
      const { worstDay, worstSpan, inQuietHours, lost, loggedTwice, lateUrls, lateSeeds } = service
      const keepsRate = worstDay <= 1 && worstSpan <= 1 && inQuietHours === 0
      const losesNothing = lost + loggedTwice === 0
      const isStill = lateUrls === 0 && growth.rssMb <= 1.3
      const takesIn = lateSeeds > 0 && service.queries >= queries.length * 0.9
      const isAsGood = quality >= 0.99 * qualityByHand
      const ok = mustHold(keepsRate && losesNothing && isStill && takesIn && isAsGood)
      return {
        ok,
        pages,
        weeks,
        ...service,
        quality,
        qualityByHand,
        byWeek: { service: qualities.map(rounded), byHand: byHand.map(rounded) },
        growth,
        sizes: sizes.slice(-3),
      }
    })
  },
})

/** The last as a share of the first. */
function spread(values: readonly number[]): number {
  return values.length === 0 ? 1 : rounded(values.at(-1)! / values[0])
}
