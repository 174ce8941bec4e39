import type { FeatureTable } from '#numeric/learning/feature-table.ts'
import type { AcquisitionModel, AskedQuery } from '../../facts/acquisition-facts.ts'
import { drawnQueries, LEAST_HITS, LEAST_PAGES } from '../learn-acquisition.ts'
import {
  fitPages,
  noQueryValue,
  PAGE_FEATURES,
  queryHalves,
  queryValue,
  tableOfPages,
} from '../page-value.ts'
import { NEIGHBOUR_NAMES } from '../pairs/neighbour-means.ts'
import { MOST_EACH, PAIR_FEATURES } from '../pairs/pair-features.ts'
import { fitPairs } from '../pairs/pair-model.ts'
import { featureName, type NumberColumns } from './bucket-offers.ts'
import { chosenPairs, type ToldPairs } from './chosen-pairs.ts'

/** What all buckets have told of fetched pages: columns as `bucketLessons` gives them, one bucket after the other. */
export interface WholeLessons {
  readonly pairs: NumberColumns
  readonly pages: NumberColumns
}

/**
 * Learns from the fetched pages of all buckets what one bucket with all of them would. Pages are in the order of their
 * hashes, and are halved by these.
 */
export function learnWhole(
  { pairs, pages }: WholeLessons,
  queries: readonly AskedQuery[],
): AcquisitionModel | undefined {
  const rows = inHashOrder(pages)
  if (rows.length < LEAST_PAGES) return undefined
  const told = pairs as unknown as ToldPairs
  const chosen = chosenPairs(told, () => MOST_EACH)
  const learnt = {
    table: tableOf(
      pairs,
      chosen,
      PAIR_FEATURES.map((_, place) => featureName(place)),
    ),
    queries: chosen.map((row) => told.query[row]),
    urls: chosen.map((row) => told.low[row]),
  }
  const worths = Float64Array.from(chosen, (row) => pairs.worth[row])
  const { model, predicted } = fitPairs(learnt, worths)
  if (model.hitsSeen < LEAST_HITS) return undefined
  // From here on a page has the number of its row.
  const placeOf = new Uint32Array(rows.length).map((_, place) => place)
  const rowOfPage = new Map(
    Array.from(rows, (row, place) => [`${pages.low[row]} ${pages.high[row]}`, place]),
  )
  const expected = {
    queries: learnt.queries,
    urls: chosen.map((row) => rowOfPage.get(`${told.low[row]} ${told.high[row]}`)!),
    expected: predicted,
  }
  const [first, second] = queryHalves(queries, drawnQueries(queries)).map((weights, half) => {
    const value = noQueryValue(rows.length)
    queryValue({ placeOf }, expected, weights, value)
    const names = PAGE_FEATURES.map((_, place) =>
      place < NEIGHBOUR_NAMES.length
        ? `mean_${half}_${place}`
        : `trait_${place - NEIGHBOUR_NAMES.length}`,
    )
    const { columns } = tableOf(pages, rows, names)
    return {
      table: tableOfPages(columns, value),
      worths: Float64Array.from(rows, (row) => pages[`worth_${half}`][row]),
    }
  })
  return { ...model, ...fitPages(first, second) }
}

/** Rows by their hashes. */
export function inHashOrder({ low, high }: NumberColumns): Uint32Array {
  const rows = Uint32Array.from(low.keys())
  return rows.sort((a, b) => Number(low[a]) - Number(low[b]) || Number(high[a]) - Number(high[b]))
}

/** Some rows of columns, as features. */
function tableOf(
  columns: NumberColumns,
  rows: Uint32Array,
  names: readonly string[],
): FeatureTable {
  return {
    names: names[0] === featureName(0) ? PAIR_FEATURES : names,
    columns: names.map((name) => Float32Array.from(rows, (row) => columns[name][row])),
    rows: rows.length,
  }
}
