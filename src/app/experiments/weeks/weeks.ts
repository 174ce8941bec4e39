import { type Command, Option } from 'commander'
import type { RecordedWebOptions } from '#archive/recorded-web.ts'
import { corpusJudge } from '#lab/judging/corpus-judge.ts'
import { type CrawlSplit, splitQueries } from '#lab/judging/query-split.ts'
import { WeeklyTruth } from '#lab/weeks/weekly-truth.ts'
import { folderUntilExit } from '#library/open/folder-until-exit.ts'
import { seededRandom } from '#numeric/random.ts'
import { PURPOSES } from '#policy/bids.ts'
import { checkedPolicy, policyList } from '#policy/registry/policy-name.ts'
import type { Registry } from '#policy/registry/registry.ts'
import { wholeNumber } from '../../cli/settings/options.ts'
import { WeeklyCrawls } from '../../served/weekly-crawl.ts'
import { UsageError } from '../../text/usage-error.ts'
import {
  onePerArchive,
  readWithQueries,
  type ShelvedArchive,
  shelve,
} from '../running/archive-shelf.ts'
import type {
  CommonOptions,
  Experiment,
  ExperimentRun,
  ExperimentStep,
} from '../running/experiment.ts'
import { comparedPolicies, type PolicyFlags, policyFileFlag } from '../running/own-policies.ts'
import { queriesFlag } from '../running/queries-flag.ts'
import { presentWeeks } from './weeks-report.ts'
import type { WeeksFound } from './weeks-summary.ts'

interface WeeksOptions extends CommonOptions, PolicyFlags {
  /** Per cent of the pages that can be fetched, a week and in the first week. */
  readonly budget: number
  readonly start: number
  readonly queries: CrawlSplit
  readonly sitemaps: NonNullable<RecordedWebOptions['sitemaps']>
}

/** Breadth-first with uniform refreshing, the customary split, the most eager one, and ours. */
const USUAL = 'split:50/50/0:bfs,uniform,none,split:70/20/10,split:97/2/1,unified'

export const weeksExperiment: Experiment<WeeksOptions> = {
  summary:
    'crawls over HTTP, week by week, of a served archive that grows and changes: what searchers get, and when new pages are found',
  example:
    'weeks --archive modelweb --policies uniform,quality,unified --budget 5 --start 30 --report weeks.html',
  addFlags,
  prepare,
}

function addFlags(command: Command): void {
  command
    .option('--policies <names>', `policies to compare, separated by commas (default: ${USUAL})`)
    .addOption(policyFileFlag())
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
    .addOption(
      new Option('--sitemaps <kind>', 'whether every host has a sitemap of all it has, or none has')
        .choices(['honest', 'none'])
        .default('honest'),
    )
}

async function prepare(options: WeeksOptions): Promise<ExperimentRun> {
  const usual = policyList(USUAL)
  const { registry, names: policies } = await comparedPolicies(options, usual, { tasks: PURPOSES })
  for (const name of policies) checkedPolicy(name, 'policies', registry)
  const archives = await shelve(options.archive)
  for (const { dir, snapshots } of archives)
    if (snapshots < 2)
      throw new UsageError(`--archive ${dir}: it has one snapshot only; nothing ever changes there`)
  const trialOf = onePerArchive((archive) => openTrial(archive, options, registry))
  const step = (archive: ShelvedArchive, policy: string): ExperimentStep => ({
    name: `${archive.id} ${policy}`,
    run: async () => {
      const attempt = await trialOf(archive)
      return { found: { archive: archive.id, policy, ...(await attempt(policy)) } }
    },
  })
  const { seed, budget, start, queries, sitemaps } = options
  return {
    steps: archives.flatMap((archive) => policies.map((policy) => step(archive, policy))),
    present: (found) =>
      presentWeeks(found as WeeksFound[], { seed, budget, start, queries, sitemaps }),
  }
}

/** One archive and what its searchers would get; its first week is crawled once for all policies. */
async function openTrial(shelved: ShelvedArchive, options: WeeksOptions, registry: Registry) {
  const { seed, budget, start, queries, sitemaps } = options
  const { archive, workload } = await readWithQueries(shelved)
  const split = splitQueries(workload.queries, queries, seededRandom(seed))
  const truth = new WeeklyTruth(archive, workload.queries, split.testWeights)
  const lastWeek = archive.snapshotCount - 1
  const liveAtLast = (url: string) => {
    const page = truth.pageOf(url)
    return page !== undefined && truth.isLive(page, lastWeek) ? page : undefined
  }
  const judge = corpusJudge(workload, liveAtLast, seed)
  const crawls = new WeeklyCrawls({
    archive,
    truth,
    log: split.training,
    budgetShare: budget / 100,
    startShare: start / 100,
    seed,
    registry,
    sitemaps,
    // The policies of an archive share its first week.
    folder: folderUntilExit('forager-weeks-'),
  })
  return async (policy: string): Promise<Omit<WeeksFound, 'archive' | 'policy'>> => {
    const { weeks, copies } = await crawls.crawl(policy)
    return { weeks, maxNdcg: judge.maxNdcgOf((page) => copies.isHeld(page)) }
  }
}
