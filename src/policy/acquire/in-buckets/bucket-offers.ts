import { mixHash } from '#numeric/hash.ts'
import type { AcquisitionFacts } from '../../facts/acquisition-facts.ts'
import { wholeWorth } from '../../facts/worth.ts'
import { mixedValue, pairsLookedAt } from '../candidate-values.ts'
import { drawnQueries, LEAST_PAGES, MOST_PAGES, SEED } from '../learn-acquisition.ts'
import {
  noQueryValue,
  predictPageValue,
  queryHalves,
  traitColumns,
  trustIn,
} from '../page-value.ts'
import { neighbourMeans } from '../pairs/neighbour-means.ts'
import type { Pairs } from '../pairs/pair-features.ts'
import { pairWorths, predictPairs } from '../pairs/pair-model.ts'
import { surveyOf } from '../survey.ts'
import type { ToldPairs } from './chosen-pairs.ts'

/** Columns of one length, for files. */
export type NumberColumns = Readonly<Record<string, Uint32Array | Float64Array>>

/** Facts of one bucket, which must say what the whole crawl is. */
export type BucketFacts = AcquisitionFacts & Required<Pick<AcquisitionFacts, 'whole'>>

/** A pair as whoever values it needs it: what is expected of the page by itself. */
export interface OfferedPairs extends ToldPairs {
  readonly expected: Float64Array
}

/** What a bucket can say of its candidates without knowing others'. */
interface BucketOffers {
  /** By candidate: what it is worth if no query asks for it by name. */
  readonly unnamed: Float64Array
  readonly pairs: OfferedPairs
  /** Candidates that are in pairs: their places, and what they are described by. */
  readonly pages: NumberColumns
}

/** `rankScale` is what a page of average PageRank is worth. */
export function bucketOffers(
  facts: BucketFacts,
  high: Uint32Array,
  rankScale: number,
): BucketOffers {
  const { candidates, model, queries, whole } = facts
  const survey = surveyOf(facts, candidates)
  const { traits, unknownWeights, placeOf } = survey
  const looked = survey.finder.find(queries.keys(), survey.isSurveyed, (query) =>
    pairsLookedAt(unknownWeights[query]),
  )
  const expected = predictPairs(facts, looked)
  const links = Float64Array.from(candidates, (url) => rankScale * traits.ranks[url])
  const unasked = model ? predictPageValue(model, survey, noQueryValue(candidates.length)) : links
  const trust = model ? trustIn(model) : 0
  const unnamed = links.map((link, i) => mixedValue(0, unasked[i], link, trust))
  const urls = Uint32Array.from(new Set(looked.urls)).sort()
  const means = survey.means.map((column) => Float32Array.from(urls, (url) => column[placeOf[url]]))
  const pages = {
    place: urls.map((url) => placeOf[url]),
    low: urls.map((url) => whole.ties[url]),
    high: urls.map((url) => high[url]),
    links: Float64Array.from(urls, (url) => links[placeOf[url]]),
    ...featureColumns([...means, ...traitColumns(traits, urls)]),
  }
  return { unnamed, pairs: { ...toldPairs(looked, whole.ties, high), expected }, pages }
}

/** Pages and pairs that others may learn from, of so many of all fetched pages; none while there are too few. */
export function bucketLessons(
  facts: BucketFacts,
  high: Uint32Array,
): { readonly pairs: NumberColumns; readonly pages: NumberColumns } | undefined {
  const { visits, queries, whole, answers } = facts
  if (whole.visits < LEAST_PAGES) return undefined
  const share = (MOST_PAGES / Math.max(MOST_PAGES, whole.visits)) * 0x1_0000_0000
  const drawn = visits.filter((url) => mixHash(SEED, whole.ties[url]) < share).sort()
  const isAsked = drawnQueries(queries)
  const survey = surveyOf(facts, drawn)
  const asked = Array.from(queries.keys()).filter(isAsked)
  const looked = survey.finder.find(asked, survey.isSurveyed)
  const views = queryHalves(queries, isAsked).map((weights) => {
    const { realised, mean } = wholeWorth(answers, weights, facts.domains.length, whole.visits)
    return { realised, means: neighbourMeans(survey.around, realised, drawn, mean) }
  })
  const pages = {
    low: drawn.map((url) => whole.ties[url]),
    high: drawn.map((url) => high[url]),
    ...Object.fromEntries(
      views.flatMap(({ realised, means }, half) => [
        [`worth_${half}`, Float64Array.from(drawn, (url) => realised[url])],
        ...means.map((column, kind) => [`mean_${half}_${kind}`, new Float64Array(column)]),
      ]),
    ),
    ...Object.fromEntries(
      traitColumns(survey.traits, drawn).map((column, kind) => [
        `trait_${kind}`,
        new Float64Array(column),
      ]),
    ),
  }
  const pairs = {
    ...toldPairs(looked, whole.ties, high),
    worth: pairWorths(facts, looked),
    ...featureColumns(looked.table.columns),
  }
  return { pairs, pages }
}

/** How features are called in files: by their places. */
export const featureName = (place: number): string => `feature_${place}`

function featureColumns(columns: readonly Float32Array[]): NumberColumns {
  return Object.fromEntries(
    columns.map((column, place) => [featureName(place), new Float64Array(column)]),
  )
}

/** Coverage in whole numbers, as matches are chosen by it: finer differences are of rounding. */
const COVERAGE_STEPS = 2 ** 20
const CLOSENESS_STEPS = 1023

function toldPairs(
  { table, queries, urls, byWords }: Pairs,
  low: Uint32Array,
  high: Uint32Array,
): ToldPairs {
  const column = (name: string) => table.columns[table.names.indexOf(name)]
  const steps = (values: Float32Array, most: number) =>
    Float64Array.from(values, (value) => Math.round(value * most))
  return {
    query: queries,
    low: urls.map((url) => low[url]),
    high: urls.map((url) => high[url]),
    byWords: Uint32Array.from(byWords),
    coverage: steps(column('coverage'), COVERAGE_STEPS),
    closeness: steps(column('closeness'), CLOSENESS_STEPS),
    hits: Float64Array.from(column('matching links')),
    standing: Float64Array.from(column('standing of linking results')),
  }
}
