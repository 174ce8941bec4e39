import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { RecordedWeb } from '#archive/recorded-web.ts'
import { AnswerTruth } from '#lab/judging/answer-truth.ts'
import { corpusJudge } from '#lab/judging/corpus-judge.ts'
import { type CrawlSplit, splitQueries } from '#lab/judging/query-split.ts'
import { type PolicyMeans, type PolicyRun, policyMeans } from '#lab/metrics/policy-means.ts'
import { archivesOf } from '#lab/report/rows.ts'
import { folderUntilExit } from '#library/open/folder-until-exit.ts'
import { seededRandom } from '#numeric/random.ts'
import { PURPOSES } from '#policy/bids.ts'
import { checkedPolicy, policyList } from '#policy/registry/policy-name.ts'
import type { Registry } from '#policy/registry/registry.ts'
import { wholeNumber } from '../cli/settings/options.ts'
import { crawlServed } from '../served/served-crawl.ts'
import { startReplayServer } from '../server/replay-server.ts'
import {
  onePerArchive,
  readWithQueries,
  type ShelvedArchive,
  snapshotAt,
} from './running/archive-shelf.ts'
import { defineExperiment, trialsOf } from './running/define-experiment.ts'
import type { CommonOptions } from './running/experiment.ts'
import { queriesFlag } from './running/flags.ts'
import { comparedPolicies, type PolicyFlags, policyFileFlag } from './running/own-policies.ts'

interface LiveOptions extends CommonOptions, PolicyFlags {
  /** Per cent of the pages that can be fetched. */
  readonly budget: number
  readonly queries: CrawlSplit
  readonly at?: number
}

const MEASURES = ['quality', 'maxNdcg'] as const
type Measure = (typeof MEASURES)[number]

/** What one crawl came to. */
interface LiveRow extends PolicyRun<Measure> {
  readonly fetches: number
  readonly pages: number
  readonly seconds: number
}

type Found = PolicyMeans<Measure> & { readonly rows: readonly LiveRow[] }

const USUAL = 'bfs,indegree,pagerank,opic,impact'

export const liveExperiment = defineExperiment<LiveOptions, Found>({
  name: 'live',
  summary:
    'whole crawls over HTTP: each policy crawls the served archive with the same budget and query log',
  example: 'live --archive modelweb --policies bfs,pagerank,impact --budget 10 --report live.html',
  addFlags: (command) =>
    command
      .option('--policies <names>', `policies to compare, separated by commas (default: ${USUAL})`)
      .addOption(policyFileFlag())
      .option('--budget <percent>', 'fetches, in per cent of the pages', wholeNumber(1, 100), 10)
      .addOption(queriesFlag())
      .option('--at <snapshot>', 'which snapshot (default: the last)', wholeNumber(0)),
  plan: async (options, archives) => {
    const { registry, names } = await comparedPolicies(options, policyList(USUAL), {
      tasks: PURPOSES,
    })
    for (const name of names) checkedPolicy(name, 'policies', registry)
    const trialOf = onePerArchive((archive) => openTrial(archive, options, registry))
    const { seed, budget, queries } = options
    return {
      asked: { budget, queries },
      trials: trialsOf({ archive: archives, policy: names }, async ({ archive, policy }) => ({
        tables: { rows: [await (await trialOf(archive))(policy)] },
      })),
      derive: ({ rows }) => policyMeans(rows, MEASURES, seed),
    }
  },
  keys: ['archive', 'policy'],
  title: 'Live: whole crawls over HTTP',
  intro: `Each policy crawled each archive over HTTP with the same budget, from the same seeds and with the
same query log. Quality is that of the answers from the pages held against those from all pages, on searches that were not
in the log it read (rank r is seen with r^-1.5); maxNDCG is the best NDCG@10 that any ranking of the pages held could reach.`,
  views: [
    { as: 'bars', of: 'rows', title: 'Repository quality, mean over archives', y: 'quality' },
    {
      as: 'bars',
      of: 'rows',
      title: 'maxNDCG@10, mean over archives',
      pick: (rows) => rows.filter(({ maxNdcg }) => maxNdcg !== null),
      y: 'maxNdcg',
    },
    { as: 'table', of: 'means', caption: (_, { rows }) => `means over ${archivesOf(rows)}` },
    {
      as: 'table',
      of: 'leads',
      caption: (_, { means }) =>
        `by how much ${means.at(-1)?.policy} has more, on the same archives`,
    },
    { as: 'table', of: 'rows', caption: 'each crawl' },
  ],
})

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
  return async (policy: string): Promise<Omit<LiveRow, 'archive' | 'policy'>> => {
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
  }
}
