import { corpusJudge } from '#lab/judging/corpus-judge.ts'
import { splitQueries } from '#lab/judging/query-split.ts'
import { policyMeans } from '#lab/metrics/policy-means.ts'
import { crawlWeekly } from '#lab/weeks/weekly-crawl.ts'
import { WeeklyTruth } from '#lab/weeks/weekly-truth.ts'
import { MEASURES, weekRow, weeksRun } from '#lab/weeks/weeks-run.ts'
import { seededRandom } from '#numeric/random.ts'
import { readWithQueries, type ShelvedArchive, weeklySeconds } from '../running/archive-shelf.ts'
import { defineExperiment } from '../running/define-experiment.ts'
import { queriesFlag, type Settings, sitemapsFlag, wholeFlag } from '../running/flags.ts'
import { crawlPoliciesFlag } from '../running/own-policies.ts'
import { WEEKS_INTRO, type WeeksFound, weeksViews } from './weeks-views.ts'

const flags = {
  // Breadth-first with uniform refreshing, the customary split, the most eager one, and ours.
  policies: crawlPoliciesFlag('split:50/50/0:bfs,uniform,none,split:70/20/10,split:97/2/1,unified'),
  budget: wholeFlag('percent', 'fetches a week, in per cent of the pages', [1, 100], 5),
  start: wholeFlag(
    'percent',
    'pages held after the first week, which all policies begin by PageRank, in per cent',
    [1, 100],
    30,
  ),
  queries: queriesFlag,
  sitemaps: sitemapsFlag,
}

export const weeksExperiment = defineExperiment<WeeksFound>()({
  name: 'weeks',
  summary:
    'crawls, week by week, of an archive that grows and changes: what searchers get, and when new pages are found',
  example:
    'weeks --archive modelweb --policies uniform,quality,unified --budget 5 --start 30 --report weeks.html',
  flags,
  leastSnapshots: 2,
  seconds: ({ policies }, archives) => weeklySeconds(archives, policies.names.length),
  open: openTrial,
  trials: ({ policies }, trialsOf) =>
    trialsOf({ policy: policies.names }, async (crawled, { policy }) => {
      const { weeks, maxNdcg, seconds } = await crawled(policy)
      const run = { ...weeksRun(weeks, maxNdcg), seconds }
      return { tables: { rows: weeks.map(weekRow), runs: [run] } }
    }),
  derive: ({ runs }, { seed }) => policyMeans(runs, MEASURES, seed),
  asked: ({ budget, start, queries, sitemaps }) => ({ budget, start, queries, sitemaps }),
  keys: ['archive', 'policy', 'week'],
  title: 'Weeks: crawls of a web that grows and changes',
  intro: WEEKS_INTRO,
  views: weeksViews,
})

/** One archive and what its searchers would get. */
async function openTrial(shelved: ShelvedArchive, settings: Settings<typeof flags>) {
  const { seed, budget, start, queries, sitemaps } = settings
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
    ...{
      archive,
      truth,
      log: split.training,
      seed,
      registry: settings.policies.registry,
      sitemaps,
    },
    ...{ budgetShare: budget / 100, startShare: start / 100 },
  }
  return async (policy: string) => {
    const startedAt = performance.now()
    const { weeks, copies } = await crawlWeekly(policy, setup)
    const seconds = (performance.now() - startedAt) / 1000
    return { weeks, maxNdcg: judge.maxNdcgOf((page) => copies.isHeld(page)), seconds }
  }
}
