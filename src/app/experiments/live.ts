import { RecordedWeb } from '#archive/recorded-web.ts'
import { AnswerTruth } from '#lab/judging/answer-truth.ts'
import { corpusJudge } from '#lab/judging/corpus-judge.ts'
import { splitQueries } from '#lab/judging/query-split.ts'
import { type PolicyMeans, type PolicyRun, policyMeans } from '#lab/metrics/policy-means.ts'
import { archivesOf } from '#lab/report/rows.ts'
import { WorldCrawl } from '#lab/worlds/world-crawl.ts'
import { seededRandom } from '#numeric/random.ts'
import {
  pagesOf,
  readWithQueries,
  type ShelvedArchive,
  snapshotAt,
} from './running/archive-shelf.ts'
import { defineExperiment } from './running/define-experiment.ts'
import { queriesFlag, type Settings, snapshotFlag, wholeFlag } from './running/flags.ts'
import { crawlPoliciesFlag } from './running/own-policies.ts'

const MEASURES = ['quality', 'maxNdcg'] as const
type Measure = (typeof MEASURES)[number]

/** What one crawl came to. */
interface LiveRow extends PolicyRun<Measure> {
  readonly fetches: number
  readonly pages: number
  readonly seconds: number
}

type Found = PolicyMeans<Measure> & { readonly rows: readonly LiveRow[] }

const SECONDS_A_FETCH = 4e-3

const flags = {
  policies: crawlPoliciesFlag('bfs,indegree,pagerank,opic,impact'),
  budget: wholeFlag('percent', 'fetches, in per cent of the pages', [1, 100], 10),
  queries: queriesFlag,
  at: snapshotFlag,
}

export const liveExperiment = defineExperiment<Found>()({
  name: 'live',
  summary: 'whole crawls: each policy crawls the archive with the same budget and query log',
  example: 'live --archive modelweb --policies bfs,pagerank,impact --budget 10 --report live.html',
  flags,
  seconds: ({ budget, policies }, archives) =>
    (SECONDS_A_FETCH * pagesOf(archives) * budget * policies.names.length) / 100,
  open: openTrial,
  trials: ({ policies }, trialsOf) =>
    trialsOf({ policy: policies.names }, async (crawled, { policy }) => ({
      tables: { rows: [await crawled(policy)] },
    })),
  derive: ({ rows }, { seed }) => policyMeans(rows, MEASURES, seed),
  asked: ({ budget, queries }) => ({ budget, queries }),
  keys: ['archive', 'policy'],
  title: 'Live: whole crawls',
  intro: `Each policy crawled each archive in virtual time with the same budget, from the same seeds and with the
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

/** One archive, and what its searchers would get from the pages that a policy fetches. */
async function openTrial(
  shelved: ShelvedArchive,
  { at, seed, budget, queries, policies: { registry } }: Settings<typeof flags>,
) {
  const { archive, workload } = await readWithQueries(shelved)
  const week = snapshotAt(shelved, at)
  const truth = new AnswerTruth(new RecordedWeb(archive, week), workload.queries)
  const { training: log, testWeights } = splitQueries(workload.queries, queries, seededRandom(seed))
  const judge = corpusJudge(workload, (url) => truth.pageAt(url), seed)
  const most = Math.round((budget / 100) * truth.pages.length)
  return async (policy: string): Promise<Omit<LiveRow, 'archive' | 'policy'>> => {
    const startedAt = performance.now()
    const crawl = new WorldCrawl({ archive, week, log, seed, registry })
    const isHeld = new Uint8Array(truth.pageCount)
    let pages = 0
    for (const { outcome } of await crawl.spend(policy, most)) {
      if (outcome.kind !== 'page') continue
      pages++
      const page = truth.pageAt(outcome.url)
      if (page !== undefined) isHeld[page] = 1
    }
    return {
      fetches: crawl.state.spent,
      pages,
      quality: truth.quality(testWeights, isHeld) ?? null,
      maxNdcg: judge.maxNdcgOf((page) => isHeld[page] === 1),
      seconds: (performance.now() - startedAt) / 1000,
    }
  }
}
