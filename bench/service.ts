import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
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
/** By that much the mean over 26 weeks of one crawl differs from that of the same crawl run again. */
const NOISE = 0.002

/** One web, and how a service is to live through its weeks. */
interface Trial {
  readonly folder: string
  readonly pages: number
  readonly weeks: number
  readonly kills: number
  readonly fetchesADay: number
  readonly burst: number
  readonly queries: number
  readonly seed: number
}

export default benchmark({
  about:
    'Lets a service live through weeks in leaping time, killed on the way; compares it with weekly crawls by hand',
  flags: { pages: 600, weeks: 26, kills: 20, rate: 50, burst: 50, queries: 200, seed: 9, webs: 3 },
  async run({ rate: fetchesADay, seed, webs, ...flags }) {
    return inFolder(async (root) => {
      const trials = []
      for (let web = 0; web < webs; web++) {
        const folder = join(root, `${web}`)
        mkdirSync(folder)
        const trial = await liveAndCompare({ ...flags, folder, fetchesADay, seed: seed + web })
        console.error(JSON.stringify(trial))
        trials.push(trial)
      }
      const gains = trials.map(({ quality, qualityByHand }) => quality - qualityByHand)
      const isAsGood = meanOf(gains) >= -NOISE / Math.sqrt(webs)
      return {
        ok: mustHold(isAsGood && trials.every(({ ok }) => ok)),
        quality: rounded(meanOf(trials.map(({ quality }) => quality))),
        qualityByHand: rounded(meanOf(trials.map(({ qualityByHand }) => qualityByHand))),
        trials,
      }
    })
  },
})

/**
 * Quality is judged after each day's fetches. By then both have spent the same on the same pages, but for what kills cost
 * the service. By hand all of a week is made at once, right after the web has changed, so days are not those of the
 * calendar. Weeks' ends alone would be no fair measure: by hand the crawl knows that its budget ends then, tries more
 * hosts at first, and at last only what is best; a service has no end.
 */
async function liveAndCompare({ pages, queries: most, ...how }: Trial) {
  const { weeks, seed } = how
  const lively = Math.ceil(LIVELY_SHARE * weeks)
  const records = generateModelWeb({ seed, pages, weeks: lively })
  const archive = archiveOf(records)
  const queries = records.workload!.queries.toSorted((a, b) => b.weight - a.weight).slice(0, most)
  const judge = new WeeklyJudge(archive, queries)
  for (let week = 0; week < lively; week++) await judge.prepare(week)
  const say = (text: string) => console.error(text)
  const plan = { ...how, archive, queries, say }
  const { qualities, sizes, ...service } = await liveThroughWeeks(plan, judge)
  const byHand = await crawlByHand(plan, judge)
  const still = sizes.filter(({ week }) => week > lively + 2)
  const growth = { rssMb: spread(still.map(({ rssMb }) => rssMb)), tablesMb: spread(still.map(({ tablesMb }) => tablesMb)) } // biome-ignore format: one object
  const { worstDay, worstSpan, inQuietHours, lost, loggedTwice, lateUrls, lateSeeds } = service
  const keepsRate = worstDay <= 1 && worstSpan <= 1 && inQuietHours === 0
  const losesNothing = lost + loggedTwice === 0
  const isStill = lateUrls === 0 && growth.rssMb <= 1.3
  const takesIn = lateSeeds > 0 && service.queries >= queries.length * 0.9
  return {
    ok: keepsRate && losesNothing && isStill && takesIn,
    ...{ seed, pages, weeks, ...service },
    quality: rounded(meanOf(qualities)),
    qualityByHand: rounded(meanOf(byHand)),
    byWeek: { service: byWeek(qualities), byHand: byWeek(byHand) },
    atWeekEnds: { service: atWeekEnds(qualities), byHand: atWeekEnds(byHand) },
    growth,
    sizes: sizes.slice(-3),
  }
}

function byWeek(days: readonly number[]): number[] {
  const weeks = Array.from({ length: days.length / 7 }, (_, week) => 7 * week)
  return weeks.map((first) => rounded(meanOf(days.slice(first, first + 7))))
}

function atWeekEnds(days: readonly number[]): number {
  return rounded(meanOf(days.filter((_, day) => day % 7 === 6)))
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, one) => sum + one, 0) / values.length
}

/** The last as a share of the first. */
function spread(values: readonly number[]): number {
  return values.length === 0 ? 1 : rounded(values.at(-1)! / values[0])
}
