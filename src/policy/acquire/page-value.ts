import { mixHash } from '#numeric/hash.ts'
import { fitBoostedTrees, predictBoostedTrees } from '#numeric/learning/boosted-trees.ts'
import type { FeatureTable } from '#numeric/learning/feature-table.ts'
import type { AskedQuery, PageModel } from '../facts/acquisition-facts.ts'
import { realisedWorth } from '../facts/worth.ts'
import { NEIGHBOUR_NAMES, neighbourMeans } from './pairs/neighbour-means.ts'
import { type PageTraits, TRAIT_NAMES } from './pairs/page-traits.ts'
import type { Survey } from './survey.ts'

/** Of queries that may not come again, weights count half way to all alike. */
export const UNKNOWN_POWER = 0.5

/** What queries are expected to get of each surveyed URL, per unit of their weight; by place. */
export interface QueryValue {
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
  const views = queryHalves(queries, isAsked).map((weights) => {
    const realised = realisedWorth(answers, weights, domains.length)
    const value = noQueryValue(urls.length)
    queryValue(survey, pairs, weights, value)
    const means = neighbourMeans(around, realised, urls)
    return { realised, table: pageTable(survey, means, value) }
  })
  const [first, second] = views.map(({ table, realised }) => ({
    table,
    worths: Float64Array.from(urls, (url) => realised[url]),
  }))
  return fitPages(first, second)
}

/** Weights of the queries in two halves of those that are asked; either sums to 1. */
export function queryHalves(
  queries: readonly AskedQuery[],
  isAsked: (query: number) => boolean,
): Float64Array[] {
  const all = queryWeights(queries, UNKNOWN_POWER)
  return [0, 1].map((half) =>
    shares(
      all.map((weight, query) =>
        isAsked(query) && (mixHash(0xa1f, query) & 1) === half ? weight : 0,
      ),
    ),
  )
}

/** Pages as one half of the queries shows them, and what they are worth to it. */
interface PageView {
  readonly table: FeatureTable
  readonly worths: Float64Array
}

/** Learns from pages as two halves of the queries show them: each is judged by the other. */
export function fitPages(first: PageView, second: PageView): PageModel {
  const table = stacked(first.table, second.table)
  const targets = [...second.worths, ...first.worths]
  const pages = fitBoostedTrees(table, targets, {
    trees: 50,
    leaves: 6,
    minLeafWeight: 30,
    l2: 5,
    rising: ['query value'],
  })
  return { pages, pagesSeen: first.worths.length }
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
  return tableOfPages([...means, ...traitColumns(traits, urls)], value)
}

/** What is known of each of the URLs without its content. */
export function traitColumns({ features }: Pick<PageTraits, 'features'>, urls: Uint32Array) {
  return features.map((feature) => {
    const column = new Float32Array(urls.length)
    for (let i = 0; i < urls.length; i++) column[i] = feature(urls[i])
    return column
  })
}

/** What pages are described by, beside what queries expect of them: these means and traits. */
export const PAGE_FEATURES: readonly string[] = [...NEIGHBOUR_NAMES, ...TRAIT_NAMES]

/** `columns` are as `PAGE_FEATURES`. */
export function tableOfPages(columns: readonly Float32Array[], value: QueryValue): FeatureTable {
  return {
    names: ['query value', 'best query value', ...PAGE_FEATURES],
    columns: [new Float32Array(value.sum), new Float32Array(value.best), ...columns],
    rows: value.sum.length,
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
