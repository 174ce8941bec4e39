import { liveCrawls } from '#lab/experiments/live.ts'
import { type PolicyMeans, type PolicyRun, policyMeans } from '#lab/metrics/policy-means.ts'
import { archivesOf, overArchives } from '#lab/report/rows.ts'
import { pagesOf, readWithQueries, snapshotAt } from './running/archive-shelf.ts'
import { defineExperiment } from './running/define-experiment.ts'
import { queriesFlag, snapshotFlag, wholeFlag } from './running/flags.ts'
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

export const liveExperiment = defineExperiment<Found>()({
  name: 'live',
  summary: 'whole crawls: each policy crawls the archive with the same budget and query log',
  example: 'live --archive modelweb --policies bfs,pagerank,impact --budget 10 --report live.html',
  flags: {
    policies: crawlPoliciesFlag('bfs,indegree,pagerank,opic,impact'),
    budget: wholeFlag('percent', 'fetches, in per cent of the pages', [1, 100], 10),
    queries: queriesFlag,
    at: snapshotFlag,
  },
  seconds: ({ budget, policies }, archives) =>
    (SECONDS_A_FETCH * pagesOf(archives) * budget * policies.names.length) / 100,
  open: async (shelved, { at, policies: { registry }, budget, queries, seed }) => {
    const week = snapshotAt(shelved, at)
    return liveCrawls({
      ...(await readWithQueries(shelved)),
      week,
      budget,
      queries,
      registry,
      seed,
    })
  },
  trials: ({ policies }, trialsOf) =>
    trialsOf({ policy: policies.names }, async (crawled, { policy }) => {
      const startedAt = performance.now()
      const row = await crawled(policy)
      return { tables: { rows: [{ ...row, seconds: (performance.now() - startedAt) / 1000 }] } }
    }),
  derive: ({ rows }, { seed }) => policyMeans(rows, MEASURES, seed),
  asked: ({ budget, queries }) => ({ budget, queries }),
  keys: ['archive', 'policy'],
  title: 'Live: whole crawls',
  intro: `Each policy crawled each archive in virtual time with the same budget, from the same seeds and with the
same query log. Quality compares the answers from the pages held with those from all pages, on searches that were not
in the log it read (rank r is seen with r^-1.5); maxNDCG is the best NDCG@10 that any ranking of the pages held could reach.`,
  views: [
    {
      as: 'bars',
      of: 'rows',
      title: (rows) => `Repository quality, ${overArchives(rows)}`,
      y: 'quality',
    },
    {
      as: 'bars',
      of: 'rows',
      title: (rows) => `maxNDCG@10, ${overArchives(rows)}`,
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
