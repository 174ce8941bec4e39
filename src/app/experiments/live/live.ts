import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { RecordedWeb } from '#archive/recorded-web.ts'
import { AnswerTruth } from '#lab/judging/answer-truth.ts'
import { corpusJudge } from '#lab/judging/corpus-judge.ts'
import { type CrawlSplit, splitQueries } from '#lab/judging/query-split.ts'
import { folderUntilExit } from '#library/open/folder-until-exit.ts'
import { seededRandom } from '#numeric/random.ts'
import { PURPOSES } from '#policy/bids.ts'
import { checkedPolicy, policyList } from '#policy/registry/policy-name.ts'
import type { Registry } from '#policy/registry/registry.ts'
import { wholeNumber } from '../../cli/settings/options.ts'
import { crawlServed } from '../../served/served-crawl.ts'
import { startReplayServer } from '../../server/replay-server.ts'
import {
  onePerArchive,
  readWithQueries,
  type ShelvedArchive,
  shelve,
  snapshotAt,
} from '../running/archive-shelf.ts'
import type {
  CommonOptions,
  Experiment,
  ExperimentRun,
  ExperimentStep,
} from '../running/experiment.ts'
import { comparedPolicies, type PolicyFlags, policyFileFlag } from '../running/own-policies.ts'
import { queriesFlag } from '../running/queries-flag.ts'
import { type LiveFound, presentLive } from './live-report.ts'

interface LiveOptions extends CommonOptions, PolicyFlags {
  /** Per cent of the pages that can be fetched. */
  readonly budget: number
  readonly queries: CrawlSplit
  readonly at?: number
}

const USUAL = 'bfs,indegree,pagerank,opic,impact'

export const liveExperiment: Experiment<LiveOptions> = {
  summary:
    'whole crawls over HTTP: each policy crawls the served archive with the same budget and query log',
  example: 'live --archive modelweb --policies bfs,pagerank,impact --budget 10 --report live.html',
  addFlags,
  prepare,
}

function addFlags(command: Command): void {
  command
    .option('--policies <names>', `policies to compare, separated by commas (default: ${USUAL})`)
    .addOption(policyFileFlag())
    .option('--budget <percent>', 'fetches, in per cent of the pages', wholeNumber(1, 100), 10)
    .addOption(queriesFlag())
    .option('--at <snapshot>', 'which snapshot (default: the last)', wholeNumber(0))
}

async function prepare(options: LiveOptions): Promise<ExperimentRun> {
  const usual = policyList(USUAL)
  const { registry, names: policies } = await comparedPolicies(options, usual, { tasks: PURPOSES })
  for (const name of policies) checkedPolicy(name, 'policies', registry)
  const archives = await shelve(options.archive)
  for (const archive of archives) snapshotAt(archive, options.at)
  const trialOf = onePerArchive((archive) => openTrial(archive, options, registry))
  const step = (archive: ShelvedArchive, policy: string): ExperimentStep => ({
    name: `${archive.id} ${policy}`,
    run: async () => {
      const trial = await trialOf(archive)
      return { found: { archive: archive.id, ...(await trial.attempt(policy)) } }
    },
  })
  const { seed, budget, queries } = options
  return {
    steps: archives.flatMap((archive) => policies.map((policy) => step(archive, policy))),
    present: (found) => presentLive(found as LiveFound[], { seed, budget, queries }),
  }
}

/** One archive, served for the time of a crawl, and what its searchers would get. */
async function openTrial(
  shelved: ShelvedArchive,
  { at, seed, budget, queries }: LiveOptions,
  registry: Registry,
) {
  const { archive, workload } = await readWithQueries(shelved)
  const snapshot = snapshotAt(shelved, at)
  const web = new RecordedWeb(archive, snapshot)
  const truth = new AnswerTruth(web, workload.queries)
  const split = splitQueries(workload.queries, queries, seededRandom(seed))
  const judge = corpusJudge(workload, (url) => truth.pageAt(url), seed)
  const fetches = Math.round((budget / 100) * truth.pages.length)
  return {
    attempt: async (policy: string): Promise<Omit<LiveFound, 'archive'>> => {
      const server = await startReplayServer({ archive, port: 0, from: snapshot, speed: 0 })
      const folder = folderUntilExit('forager-live-')
      try {
        const crawled = await crawlServed({
          dir: join(folder, 'crawl'),
          policy,
          registry,
          budget: fetches,
          port: server.port,
          seeds: archive.site.start,
          log: split.training,
          seed,
        })
        const isHeld = new Uint8Array(truth.pageCount)
        for (const url of crawled.held) {
          const page = truth.pageAt(url)
          if (page !== undefined) isHeld[page] = 1
        }
        return {
          policy,
          fetches: crawled.fetches,
          pages: crawled.held.size,
          quality: truth.quality(split.testWeights, isHeld) ?? null,
          maxNdcg: judge.maxNdcgOf((page) => isHeld[page] === 1),
          seconds: crawled.seconds,
        }
      } finally {
        await server.close()
        rmSync(folder, { recursive: true, force: true })
      }
    },
  }
}
