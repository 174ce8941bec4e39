import { corpusJudge } from '#lab/judging/corpus-judge.ts'
import { type CrawlSplit, splitQueries } from '#lab/judging/query-split.ts'
import { policyMeans } from '#lab/metrics/policy-means.ts'
import { crawlWeekly } from '#lab/weeks/weekly-crawl.ts'
import { WeeklyTruth } from '#lab/weeks/weekly-truth.ts'
import { MEASURES, weekRow, weeksRun } from '#lab/weeks/weeks-run.ts'
import { seededRandom } from '#numeric/random.ts'
import type { Registry } from '#policy/registry/registry.ts'
import { wholeNumber } from '../../cli/settings/options.ts'
import {
  onePerArchive,
  readWithQueries,
  type ShelvedArchive,
  weeklySeconds,
} from '../running/archive-shelf.ts'
import { defineExperiment, trialsOf } from '../running/define-experiment.ts'
import type { CommonOptions } from '../running/experiment.ts'
import { queriesFlag, type Sitemaps, sitemapsFlag } from '../running/flags.ts'
import { addPolicyFlags, crawlPolicies, type PolicyFlags } from '../running/own-policies.ts'
import { WEEKS_INTRO, type WeeksFound, weeksViews } from './weeks-views.ts'

interface WeeksOptions extends CommonOptions, PolicyFlags {
  /** Per cent of the pages that can be fetched, a week and in the first week. */
  readonly budget: number
  readonly start: number
  readonly queries: CrawlSplit
  readonly sitemaps: Sitemaps
}

/** Breadth-first with uniform refreshing, the customary split, the most eager one, and ours. */
const USUAL = 'split:50/50/0:bfs,uniform,none,split:70/20/10,split:97/2/1,unified'

export const weeksExperiment = defineExperiment<WeeksOptions, WeeksFound>({
  name: 'weeks',
  summary:
    'crawls, week by week, of an archive that grows and changes: what searchers get, and when new pages are found',
  example:
    'weeks --archive modelweb --policies uniform,quality,unified --budget 5 --start 30 --report weeks.html',
  addFlags: (command) =>
    addPolicyFlags(command, USUAL)
      .option(
        '--budget <percent>',
        'fetches a week, in per cent of the pages',
        wholeNumber(1, 100),
        5,
      )
      .option(
        '--start <percent>',
        'fetches in the first week, by PageRank for all policies, in per cent of the pages',
        wholeNumber(1, 100),
        30,
      )
      .addOption(queriesFlag())
      .addOption(sitemapsFlag()),
  leastSnapshots: 2,
  plan: async (options, archives) => {
    const { registry, names } = await crawlPolicies(options, USUAL)
    const trialOf = onePerArchive((archive) => openTrial(archive, options, registry))
    const { seed, budget, start, queries, sitemaps } = options
    return {
      asked: { budget, start, queries, sitemaps },
      seconds: weeklySeconds(archives, names.length),
      trials: trialsOf({ archive: archives, policy: names }, async ({ archive, policy }) => {
        const { weeks, maxNdcg, seconds } = await (await trialOf(archive))(policy)
        const run = { ...weeksRun(weeks, maxNdcg), seconds }
        return { tables: { rows: weeks.map(weekRow), runs: [run] } }
      }),
      derive: ({ runs }) => policyMeans(runs, MEASURES, seed),
    }
  },
  keys: ['archive', 'policy', 'week'],
  title: 'Weeks: crawls of a web that grows and changes',
  intro: WEEKS_INTRO,
  views: weeksViews,
})

/** One archive and what its searchers would get. */
async function openTrial(shelved: ShelvedArchive, options: WeeksOptions, registry: Registry) {
  const { seed, budget, start, queries, sitemaps } = options
  const { archive, workload } = await readWithQueries(shelved)
  const split = splitQueries(workload.queries, queries, seededRandom(seed))
  const truth = WeeklyTruth.of(archive, workload.queries, split.testWeights)
  const lastWeek = archive.snapshotCount - 1
  const liveAtLast = (url: string) => {
    const page = truth.pageOf(url)
    return page !== undefined && truth.isLive(page, lastWeek) ? page : undefined
  }
  const judge = corpusJudge(workload, liveAtLast, seed)
  const setup = {
    ...{ archive, truth, log: split.training, seed, registry, sitemaps },
    ...{ budgetShare: budget / 100, startShare: start / 100 },
  }
  return async (policy: string) => {
    const startedAt = performance.now()
    const { weeks, copies } = await crawlWeekly(policy, setup)
    const seconds = (performance.now() - startedAt) / 1000
    return { weeks, maxNdcg: judge.maxNdcgOf((page) => copies.isHeld(page)), seconds }
  }
}
