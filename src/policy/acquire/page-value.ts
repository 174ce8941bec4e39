import { mixHash } from '#numeric/hash.ts'
import { fitBoostedTrees, predictBoostedTrees } from '#numeric/learning/boosted-trees.ts'
import type { FeatureTable } from '#numeric/learning/feature-table.ts'
import type { AskedQuery, PageModel } from '../facts/acquisition-facts.ts'
import { realisedWorth } from '../facts/worth.ts'
import { NEIGHBOUR_NAMES, neighbourMeans } from './pairs/neighbour-means.ts'
import type { UrlFeature } from './pairs/page-traits.ts'
import type { Survey } from './survey.ts'

/** Of queries that may not come again, weights count half way to all alike. */
export const UNKNOWN_POWER = 0.5

/** What queries are expected to get of each surveyed URL, per unit of their weight; by place. */
interface QueryValue {
  readonly sum: Float64Array
  readonly best: Float64Array
}

/** Pairs with what is expected of them. */
export interface ExpectedPairs {
  readonly queries: Uint32Array
  readonly urls: Uint32Array
  readonly expected: Float64Array
}

/** Where no query is looked at. */
export const NO_PAIRS: ExpectedPairs = {
  queries: new Uint32Array(0),
  urls: new Uint32Array(0),
  expected: new Float64Array(0),
}

/** Adds up what is expected of pairs, by weights of the queries that sum to 1. */
export function queryValue(
  { placeOf }: Pick<Survey, 'placeOf'>,
  { queries, urls, expected }: ExpectedPairs,
  weights: Float64Array,
  into: QueryValue,
): void {
  for (let row = 0; row < queries.length; row++) {
    const query = queries[row]
    const place = placeOf[urls[row]]
    const value = weights[query] * expected[row]
    into.sum[place] += value
    if (value > into.best[place]) into.best[place] = value
  }
}

/** An empty sum over so many URLs. */
export function noQueryValue(urlCount: number): QueryValue {
  return { sum: new Float64Array(urlCount), best: new Float64Array(urlCount) }
}

/**
 * Weights of queries, summing to 1. With a power of 1 as they are; with less they are nearer to each other, for
 * what is to hold for other queries too: a few heavy ones shall not drown the rest.
 */
export function queryWeights(queries: readonly AskedQuery[], power: number): Float64Array {
  return shares(Float64Array.from(queries, ({ weight }) => weight ** power))
}

/**
 * The share of tomorrow's searches that will be for queries of today. Weights are counts, older searches
 * faded; a query of at most 1 was asked once, and those were the new ones of today. Where no weight is
 * above 1 nothing was seen to come again. (The estimate of Good and Turing.)
 */
export function repeatShare(queries: readonly AskedQuery[]): number {
  let [once, total] = [0, 0]
  for (const { weight } of queries) {
    total += weight
    if (weight <= 1) once += weight
  }
  return total > 0 ? 1 - once / total : 0
}

/** Weights that sum to 1. */
export function shares(weights: Float64Array): Float64Array {
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  return total > 0 ? weights.map((weight) => weight / total) : weights
}

/**
 * Learns what a page is worth to queries that are not known: pages are described by one half of the
 * queries and judged by the other. So it comes out how far to trust a query's demand, and how far what
 * lies around a page. `isAsked` tells the queries that `pairs` are of.
 */
export function fitPageValue(
  survey: Survey,
  pairs: ExpectedPairs,
  isAsked: (query: number) => boolean,
): PageModel {
  const { facts, urls, around } = survey
  const { answers, queries, domains } = facts
  const all = queryWeights(queries, UNKNOWN_POWER)
  const halves = [0, 1].map((half) =>
    shares(
      all.map((weight, query) =>
        isAsked(query) && (mixHash(0xa1f, query) & 1) === half ? weight : 0,
      ),
    ),
  )
  const views = halves.map((weights) => {
    const realised = realisedWorth(answers, weights, domains.length)
    const value = noQueryValue(urls.length)
    queryValue(survey, pairs, weights, value)
    const means = neighbourMeans(around, realised, urls)
    return { realised, table: pageTable(survey, means, value) }
  })
  const table = stacked(views[0].table, views[1].table)
  const targets = [views[1], views[0]].flatMap(({ realised }) =>
    Array.from(urls, (url) => realised[url]),
  )
  const pages = fitBoostedTrees(table, targets, {
    trees: 50,
    leaves: 6,
    minLeafWeight: 30,
    l2: 5,
    rising: ['query value'],
  })
  return { pages, pagesSeen: urls.length }
}

/** What surveyed pages are expected to be worth to queries that are not known, per unit of weight. */
export function predictPageValue(
  model: PageModel,
  survey: Survey,
  value: QueryValue,
): Float64Array {
  return predictBoostedTrees(model.pages, pageTable(survey, survey.means, value))
}

/** What is not learnt counts as much as what was learnt from so many pages. */
const UNLEARNT_WORTH_PAGES = 100

/** How far a model is believed, from 0 to 1. */
export function trustIn({ pagesSeen }: Pick<PageModel, 'pagesSeen'>): number {
  return pagesSeen / (pagesSeen + UNLEARNT_WORTH_PAGES)
}

/** `means` are those that `neighbourMeans` gives of the URLs. */
function pageTable(
  { traits, urls }: Pick<Survey, 'traits' | 'urls'>,
  means: readonly Float32Array[],
  value: QueryValue,
): FeatureTable {
  const columnOf = (feature: UrlFeature) => {
    const column = new Float32Array(urls.length)
    for (let i = 0; i < urls.length; i++) column[i] = feature(urls[i])
    return column
  }
  return {
    names: ['query value', 'best query value', ...NEIGHBOUR_NAMES, ...traits.names],
    columns: [
      new Float32Array(value.sum),
      new Float32Array(value.best),
      ...means,
      ...traits.features.map(columnOf),
    ],
    rows: urls.length,
  }
}

function stacked(above: FeatureTable, below: FeatureTable): FeatureTable {
  const columns = above.columns.map((column, feature) => {
    const both = new Float32Array(above.rows + below.rows)
    both.set(column)
    both.set(below.columns[feature], above.rows)
    return both
  })
  return { names: above.names, columns, rows: above.rows + below.rows }
}
