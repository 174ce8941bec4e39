import { csrFromEdges } from '#numeric/csr.ts'
import { ExactSum } from '#numeric/exact-sum.ts'
import { predictBoostedTrees } from '#numeric/learning/boosted-trees.ts'
import type { AcquisitionModel, AskedQuery } from '../../facts/acquisition-facts.ts'
import { mixedValue, pairsLookedAt, valueLeft } from '../candidate-values.ts'
import {
  noQueryValue,
  PAGE_FEATURES,
  queryValue,
  queryWeights,
  repeatShare,
  tableOfPages,
  trustIn,
  UNKNOWN_POWER,
} from '../page-value.ts'
import { QueryCapacity, valuesInTurn } from '../query-capacity.ts'
import { featureName, type NumberColumns, type OfferedPairs } from './bucket-offers.ts'
import { chosenPairs } from './chosen-pairs.ts'
import { inHashOrder } from './whole-model.ts'

/** What all buckets have told of candidates that queries ask for: columns as `bucketOffers` gives them. */
export interface WholeOffers {
  readonly pairs: OfferedPairs
  readonly pages: NumberColumns
}

interface WholeValues {
  /** Rows of pages that queries ask for after all, and what each is worth when its turn comes, in good answers a search. */
  readonly rows: Uint32Array
  readonly values: Float64Array
  /** What queries expect of all of them, if each were the only one. */
  readonly asked: number
}

/**
 * What candidates that queries ask for are worth, whichever bucket they are in: each after the better ones of all buckets
 * have taken their places in answers. So many may be taken.
 */
export function wholeValues(
  { pairs, pages }: WholeOffers,
  queries: readonly AskedQuery[],
  model: AcquisitionModel | undefined,
  budget: number,
): WholeValues {
  const weights = queryWeights(queries, UNKNOWN_POWER + (1 - UNKNOWN_POWER) * repeatShare(queries))
  const unknownWeights = queryWeights(queries, UNKNOWN_POWER)
  const chosen = chosenPairs(pairs, (query) => pairsLookedAt(unknownWeights[query]))
  const inPairs = new Set(Array.from(chosen, (row) => `${pairs.low[row]} ${pairs.high[row]}`))
  const named = (row: number) => `${pages.low[row]} ${pages.high[row]}`
  const rows = inHashOrder(pages).filter((row) => inPairs.has(named(row)))
  const placeOf = new Uint32Array(rows.length).map((_, place) => place)
  const placeOfPage = new Map(Array.from(rows, (row, place) => [named(row), place]))
  const expected = {
    queries: chosen.map((row) => pairs.query[row]),
    urls: chosen.map((row) => placeOfPage.get(`${pairs.low[row]} ${pairs.high[row]}`)!),
    expected: Float64Array.from(chosen, (row) => pairs.expected[row]),
  }
  const [known, unknown] = [noQueryValue(rows.length), noQueryValue(rows.length)]
  queryValue({ placeOf }, expected, weights, known)
  queryValue({ placeOf }, expected, unknownWeights, unknown)
  const columns = PAGE_FEATURES.map((_, place) =>
    Float32Array.from(rows, (row) => pages[featureName(place)][row]),
  )
  const links = Float64Array.from(rows, (row) => Number(pages.links[row]))
  const asked = known.sum
  const unasked = model ? predictBoostedTrees(model.pages, tableOfPages(columns, unknown)) : links
  const trust = model ? trustIn(model) : 0
  const value = asked.map((wanted, i) => mixedValue(wanted, unasked[i], links[i], trust))
  const edges = new Uint32Array(chosen.length).map((_, pair) => pair)
  const capacity = new QueryCapacity({
    survey: { weights },
    pairs: expected,
    pairsByUrl: csrFromEdges(rows.length, expected.urls, edges),
  })
  const inTurn = valuesInTurn(value, budget, {
    valueNow: (page) => valueLeft({ asked, unasked, value }, page, capacity.lossOf(page)),
    take: (page) => capacity.take(page),
  })
  const sum = new ExactSum()
  for (const one of asked) sum.add(one)
  return { rows, values: inTurn, asked: sum.value }
}
