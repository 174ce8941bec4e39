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
import type { WeeksPlan } from './service/weeks-plan.ts'

/** Of the weeks, in so many the web grows and changes; then it stands still. */
const LIVELY_SHARE = 0.6
/** When the web has stood still for so many weeks, what a service holds must no longer grow by more than this. */
const SETTLING_WEEKS = 2
const MOST_GROWTH = 1.1
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
      const growth = await growthOfOneLife({
        ...flags,
        folder: join(root, 'one life'),
        fetchesADay,
        seed,
      })
      const isStill = growth.heldMb <= MOST_GROWTH
      const gains = trials.map(({ quality, qualityByHand }) => quality - qualityByHand)
      const isAsGood = meanOf(gains) >= -NOISE / Math.sqrt(webs)
      return {
        ok: mustHold(isAsGood && isStill && trials.every(({ ok }) => ok)),
        quality: rounded(meanOf(trials.map(({ quality }) => quality))),
        qualityByHand: rounded(meanOf(trials.map(({ qualityByHand }) => qualityByHand))),
        growth,
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
async function liveAndCompare(trial: Trial) {
  const plan = planOf(trial)
  const { archive, queries } = plan
  const judge = new WeeklyJudge(archive, queries)
  for (let week = 0; week < archive.snapshotCount; week++) await judge.prepare(week)
  const { qualities, sizes, ...service } = await liveThroughWeeks(plan, judge)
  const byHand = await crawlByHand(plan, judge)
  const { worstDay, worstSpan, inQuietHours, lost, loggedTwice, lateUrls, lateSeeds } = service
  const keepsRate = worstDay <= 1 && worstSpan <= 1 && inQuietHours === 0
  const losesNothing = lost + loggedTwice === 0
  const tablesGrowth = growthOf(sizesAtRest(sizes, plan).map(({ tablesMb }) => tablesMb))
  const isStill = lateUrls === 0 && tablesGrowth <= MOST_GROWTH
  const takesIn = lateSeeds > 0 && service.queries >= queries.length * 0.9
  return {
    ok: keepsRate && losesNothing && isStill && takesIn,
    ...{ seed: trial.seed, pages: trial.pages, weeks: trial.weeks, ...service },
    quality: rounded(meanOf(qualities)),
    qualityByHand: rounded(meanOf(byHand)),
    byWeek: { service: byWeek(qualities), byHand: byWeek(byHand) },
    atWeekEnds: { service: atWeekEnds(qualities), byHand: atWeekEnds(byHand) },
    tablesGrowth,
    sizes: sizes.slice(-3),
  }
}

function planOf({ pages, queries: most, ...how }: Trial): WeeksPlan {
  const weeks = Math.ceil(LIVELY_SHARE * how.weeks)
  const records = generateModelWeb({ seed: how.seed, pages, weeks })
  const queries = records.workload!.queries.toSorted((a, b) => b.weight - a.weight).slice(0, most)
  const say = (text: string) => console.error(text)
  return { ...how, archive: archiveOf(records), queries, say }
}

/** What one process holds at last, garbage left out, as a share of what it held when the web had just come to rest. */
async function growthOfOneLife(trial: Trial) {
  mkdirSync(trial.folder)
  const plan = { ...planOf(trial), kills: 0 }
  const { sizes } = await liveThroughWeeks(plan)
  const still = sizesAtRest(sizes, plan)
  return {
    heldMb: growthOf(still.map(({ heldMb }) => heldMb)),
    rssMb: growthOf(still.map(({ rssMb }) => rssMb)),
    weeks: still,
  }
}

/** Of weeks in which the web has stood still for a while. */
function sizesAtRest<T extends { readonly week: number }>(
  sizes: readonly T[],
  { archive }: WeeksPlan,
) {
  return sizes.filter(({ week }) => week >= archive.snapshotCount + SETTLING_WEEKS)
}

/** The mean of the later half as a share of that of the first. */
function growthOf(values: readonly number[]): number {
  const half = Math.floor(values.length / 2)
  return half === 0 ? 1 : rounded(meanOf(values.slice(-half)) / meanOf(values.slice(0, half)))
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
