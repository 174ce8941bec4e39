import { rmSync } from 'node:fs'
import { type BucketsRatio, type BucketsRun, bucketRatios } from '#lab/buckets/bucket-ratios.ts'
import { dealtOut } from '#lab/buckets/dealt-out.ts'
import { SPARED, type Spared } from '#lab/buckets/weeks-in-buckets.ts'
import { bucketCrawls, type EpochRow } from '#lab/experiments/buckets.ts'
import { folderUntilExit } from '#library/open/folder-until-exit.ts'
import { commaList } from '../cli/settings/options.ts'
import { UsageError } from '../text/usage-error.ts'
import { pagesOf, readWithQueries, snapshotAt } from './running/archive-shelf.ts'
import { defineExperiment } from './running/define-experiment.ts'
import {
  choiceFlag,
  listFlag,
  numbersFlag,
  sitemapsFlag,
  snapshotFlag,
  wholeFlag,
} from './running/flags.ts'

interface Crawled {
  readonly archive: string
  readonly sample: number
  readonly buckets: number
}

type Found = {
  readonly rows: readonly (Crawled & EpochRow)[]
  readonly runs: readonly BucketsRun[]
  readonly ratios: readonly BucketsRatio[]
}

const SECONDS_A_STEP = 0.04
const SECONDS_A_PAGE = 1e-3

function sparedParts(text: string | undefined, flag: string): readonly Spared[] {
  return commaList(text ?? '').map((name) => {
    const part = SPARED.find((known) => known === name)
    if (!part) throw new UsageError(`${flag}: there is no "${name}", but ${SPARED.join(', ')}`)
    return part
  })
}

export const bucketsExperiment = defineExperiment<Found>()({
  name: 'buckets',
  summary: 'crawls in buckets: what it costs searchers that no bucket knows all',
  example: 'buckets --archive modelweb --buckets 1,8 --epochs 5 --samples 1 --report buckets.html',
  flags: {
    buckets: numbersFlag(
      'in how many buckets, separated by commas; 0: in one process, as forager crawl',
      '1,8,64',
      0,
    ),
    epochs: wholeFlag('n', 'epochs that the budget is spent in', [1], 20),
    budget: wholeFlag('percent', 'fetches, in per cent of the pages', [1, 100], 20),
    samples: wholeFlag('n', 'crawls of each, with other ties and other searchers', [1], 3),
    domains: wholeFlag(
      'n',
      'deal the pages of each host out to so many domains, as recorded sites mostly are one',
      [1],
      1,
    ),
    policy: choiceFlag(
      'name',
      'by what fetches are chosen',
      ['pagerank', 'indegree', 'td-indegree', 'bfs', 'impact', 'unified'],
      'pagerank',
    ),
    weeks: wholeFlag(
      'n',
      'weeks that pass meanwhile, from the first on: each of the last epochs is a week later than the one before',
      [1],
      1,
    ),
    without: listFlag(
      'parts',
      `what a crawl in one process is to do without, separated by commas: ${SPARED.join(', ')}`,
      sparedParts,
    ),
    sitemaps: sitemapsFlag,
    at: snapshotFlag,
  },
  seconds: ({ buckets, epochs, samples }, archives) => {
    const steps = buckets.reduce((sum, count) => sum + count * epochs * 4, 0)
    return samples * (archives.length * steps * SECONDS_A_STEP + pagesOf(archives) * SECONDS_A_PAGE)
  },
  open: async (shelved, { at, domains, ...settings }) => {
    const { archive, workload } = await readWithQueries(shelved)
    return bucketCrawls({
      ...settings,
      archive: domains > 1 ? dealtOut(archive, domains) : archive,
      queries: workload.queries,
      week: snapshotAt(shelved, at),
    })
  },
  trials: ({ buckets, samples, seed }, trialsOf) =>
    trialsOf(
      { sample: Array.from({ length: samples }, (_, i) => i + 1), buckets },
      async (crawled, { sample, buckets }) => {
        const dir = folderUntilExit('forager-buckets-')
        const rows = await crawled(buckets, seed + sample - 1, dir)
        rmSync(dir, { recursive: true })
        const { fetches, pages, stale, quality } = rows.at(-1)!
        const meanQuality = rows.reduce((sum, row) => sum + row.quality, 0) / rows.length
        return { tables: { rows, runs: [{ fetches, pages, stale, quality, meanQuality }] } }
      },
    ),
  derive: ({ runs }, { seed }) => ({ ratios: bucketRatios(runs, seed) }),
  asked: ({ budget, epochs, weeks, samples, domains, policy, sitemaps, without }) => ({
    ...{ budget, epochs, weeks, samples, domains, policy, sitemaps },
    ...(without.length > 0 && { without: without.join(', ') }),
  }),
  keys: ['archive', 'sample', 'buckets', 'epoch'],
  title: 'Buckets: what it costs that no bucket knows all',
  intro: `Each archive was crawled by the steps of forager epochs, in files as on a cluster, with its domains dealt out to so many buckets.
Quality compares the answers from the pages held with those from all pages (rank r is seen with r^-1.5).
Crawls of one sample have the same searchers and the same ties. Ratios are geometric means over pairs of crawls, with 95 % intervals (bootstrap).`,
  views: [
    {
      as: 'lines',
      of: 'rows',
      title: 'Repository quality',
      each: 'archive',
      by: ({ buckets }) => `${buckets} buckets`,
      x: 'fetches',
      y: 'quality',
    },
    {
      as: 'table',
      of: 'ratios',
      caption:
        'quality at the end, and the mean over epochs, in times of that in the fewest buckets',
    },
    { as: 'table', of: 'runs', caption: 'each crawl' },
  ],
})
