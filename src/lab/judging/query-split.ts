import { SettingError } from '#errors/setting-error.ts'
import { type Random, WeightedSampler } from '#numeric/random.ts'
import type { Query } from '#workload/workload.ts'

/**
 * `half`: no query is in both samples. `log`: two logs of the same searchers, so most are. `same`: all of
 * them in both, as in the paper; it flatters policies that look at queries.
 */
export const QUERY_SPLITS = ['half', 'log', 'same'] as const

export type SplitKind = (typeof QUERY_SPLITS)[number]

/** Whole crawls may also have to do without a log: `none`, judged as with `log`. */
export const CRAWL_SPLITS = [...QUERY_SPLITS, 'none'] as const
export type CrawlSplit = (typeof CRAWL_SPLITS)[number]

/** What policies may learn from, and what they are judged by. */
export interface QuerySplit {
  /** Only queries that are asked. */
  readonly training: readonly Query[]
  /** By query of the whole workload; 0 for one that is not asked. */
  readonly trainingWeights: Float64Array
  readonly testWeights: Float64Array
}

/** A log holds so many searches for each query of the workload, on average. */
const SEARCHES_PER_QUERY = 10

/** Splits a workload in two samples; the same for the same random. */
export function splitQueries(
  queries: readonly Query[],
  kind: CrawlSplit,
  random: Random,
): QuerySplit {
  if (queries.every(({ weight }) => weight === 0))
    throw new SettingError(
      'archive',
      'the archive has no queries (queries.tsv.gz): choose an archive that has',
    )
  const [trainingWeights, testWeights] = SPLITTERS[kind](queries, random)
  const training = queries.flatMap((query, i) =>
    trainingWeights[i] > 0 ? { ...query, weight: trainingWeights[i] } : [],
  )
  return { training, trainingWeights, testWeights }
}

type Halves = [training: Float64Array, test: Float64Array]

const SPLITTERS: Record<CrawlSplit, (queries: readonly Query[], random: Random) => Halves> = {
  half: disjointHalves,
  log: twoLogs,
  same: (queries) => [weightsOf(queries), weightsOf(queries)],
  none: (queries, random) => [new Float64Array(queries.length), twoLogs(queries, random)[1]],
}

function weightsOf(queries: readonly Query[]): Float64Array {
  return Float64Array.from(queries, ({ weight }) => weight)
}

function disjointHalves(queries: readonly Query[], random: Random): Halves {
  const order = random.shuffle(queries.map((_, i) => i))
  const training = new Float64Array(queries.length)
  const test = new Float64Array(queries.length)
  order.forEach((query, place) => {
    const sample = place % 2 === 0 ? training : test
    sample[query] = queries[query].weight
  })
  return [training, test]
}

function twoLogs(queries: readonly Query[], random: Random): Halves {
  const sampler = new WeightedSampler(weightsOf(queries))
  const draw = (label: string): Float64Array => {
    const counts = new Float64Array(queries.length)
    const own = random.fork(label)
    for (let search = 0; search < SEARCHES_PER_QUERY * queries.length; search++)
      counts[sampler.sample(own)]++
    return counts
  }
  return [draw('training'), draw('test')]
}
