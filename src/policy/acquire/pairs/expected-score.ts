import { mixHash } from '#numeric/hash.ts'
import { type FeatureTable, selectRows } from '#numeric/learning/feature-table.ts'
import {
  fitRegressionTree,
  predictRegressionTree,
  type RegressionTree,
} from '#numeric/learning/regression-tree.ts'
import { type MatchedPairs, withColumn } from './matched-pairs.ts'

/**
 * What a page will score for a query, told before its fetch: one number, as plain data. Scores are shares
 * of the highest that the query allows, so that queries teach about each other.
 */
export interface ExpectedScore {
  readonly tree: RegressionTree
  /** By host: mean score of its fetched pages where they match; hosts that are not known are average. */
  readonly hostMeans: Float64Array
  readonly mean: number
  readonly pairsSeen: number
}

/** So many average pairs are added to a host's mean: few prove little. */
const SHRINKAGE = 5
/** A leaf speaks for so many pairs at least. */
const LEAF_PAIRS = 20

/**
 * Learns expected scores from pairs of queries and fetched pages, whose true scores are given.
 *
 * @paper PandeyOlston2008 §6.1 — a regression tree as theirs; of shares of the highest score.
 */
export function fitExpectedScore(
  { table, urls }: MatchedPairs,
  scores: Float64Array,
  hosts: Uint32Array,
): ExpectedScore {
  const totals = hostTotals(urls, scores, hosts)
  const mean = scores.reduce((sum, score) => sum + score, 0) / Math.max(1, scores.length)
  const meanOf = (sum: number, count: number) => (sum + SHRINKAGE * mean) / (count + SHRINKAGE)
  // A page's own scores are left out, as they are not known of a page before its fetch.
  const ofOthers = Float32Array.from(urls, (url) => {
    const [host, own] = [totals.ofHost.get(hosts[url])!, totals.ofPage.get(url)!]
    return meanOf(host.sum - own.sum, host.count - own.count)
  })
  const tree = fitRegressionTree(withColumn(table, HOST_MEAN, ofOthers), scores, LEAF_PAIRS)
  let hostCount = 0
  for (const host of totals.ofHost.keys()) hostCount = Math.max(hostCount, host + 1)
  const hostMeans = new Float64Array(hostCount).fill(mean)
  for (const [host, { sum, count }] of totals.ofHost) hostMeans[host] = meanOf(sum, count)
  return { tree, hostMeans, mean, pairsSeen: scores.length }
}

/** The expected score of each pair, as a share of the highest possible; a guess without a model. */
export function expectedShares(
  model: ExpectedScore | undefined,
  { table, urls }: MatchedPairs,
  hosts: Uint32Array,
): Float64Array {
  if (model === undefined) return guessedShares(table)
  const { hostMeans, mean } = model
  const column = Float32Array.from(urls, (url) => hostMeans[hosts[url]] ?? mean)
  return predictRegressionTree(model.tree, withColumn(table, HOST_MEAN, column))
}

/** What models say that were learnt from the other half of the pages: honest about pages fetched. */
export function sharesOutOfHalf(
  pairs: MatchedPairs,
  scores: Float64Array,
  hosts: Uint32Array,
): Float64Array {
  const rows = Uint32Array.from(pairs.urls.keys())
  const shares = new Float64Array(rows.length)
  for (const half of [0, 1]) {
    const own = rows.filter((row) => halfOf(pairs.urls[row]) === half)
    const others = rows.filter((row) => halfOf(pairs.urls[row]) !== half)
    const model = fitExpectedScore(
      pickPairs(pairs, others),
      Float64Array.from(others, (row) => scores[row]),
      hosts,
    )
    const predicted = expectedShares(model, pickPairs(pairs, own), hosts)
    for (let i = 0; i < own.length; i++) shares[own[i]] = predicted[i]
  }
  return shares
}

/** The half that a page belongs to when each half is judged by what the other taught. */
export function halfOf(url: number): number {
  return mixHash(0x9a9e, url) & 1
}

const HOST_MEAN = 'host mean score'

function pickPairs({ table, queries, urls }: MatchedPairs, rows: Uint32Array): MatchedPairs {
  return {
    table: selectRows(table, rows),
    queries: rows.map((row) => queries[row]),
    urls: rows.map((row) => urls[row]),
  }
}

/** What is expected before anything was learnt: half of what the words in links and address would score. */
export function guessedShares({ names, columns, rows }: FeatureTable): Float64Array {
  const coverage = columns[names.indexOf('coverage')]
  const closeness = columns[names.indexOf('closeness')]
  const shares = new Float64Array(rows)
  for (let row = 0; row < rows; row++) shares[row] = (coverage[row] + closeness[row]) / 4
  return shares
}

interface Total {
  sum: number
  count: number
}

function hostTotals(
  urls: Uint32Array,
  scores: Float64Array,
  hosts: Uint32Array,
): { ofHost: Map<number, Total>; ofPage: Map<number, Total> } {
  const [ofHost, ofPage] = [new Map<number, Total>(), new Map<number, Total>()]
  const add = (totals: Map<number, Total>, key: number, score: number) => {
    const total = totals.get(key)
    if (total === undefined) totals.set(key, { sum: score, count: 1 })
    else {
      total.sum += score
      total.count++
    }
  }
  for (let row = 0; row < urls.length; row++) {
    add(ofHost, hosts[urls[row]], scores[row])
    add(ofPage, urls[row], scores[row])
  }
  return { ofHost, ofPage }
}
