import { sampleOf } from '#numeric/hash.ts'
import { calibrated, fitCalibrator } from '#numeric/learning/calibration.ts'
import { selectRows } from '#numeric/learning/feature-table.ts'
import type { AcquisitionFacts } from '../facts/acquisition-facts.ts'
import { TOP_K } from '../facts/worth.ts'
import { halfOf, predictPairs } from './pairs/pair-model.ts'
import { surveyOf } from './survey.ts'

/** So many queries, and pages, tell enough. */
const MOST_QUERIES = 300
const MOST_PAGES = 5_000

/**
 * How likely a page comes among the first ten of a query, by what the query expects of it: as often as fetched
 * pages did of which as much was expected. Each is judged by the half of the pages it does not belong to.
 */
export function topTenChance(facts: AcquisitionFacts): (expected: number) => number {
  const { model, visits, queries } = facts
  if (model === undefined) return (expected) => Math.min(1, expected)
  const { finder, isSurveyed } = surveyOf(facts, some(visits, MOST_PAGES).sort())
  const pairs = finder.find(some(Uint32Array.from(queries.keys()), MOST_QUERIES), isSurveyed)
  const expected = new Float64Array(pairs.urls.length)
  for (const half of [0, 1] as const) {
    const own = Uint32Array.from(pairs.urls.keys()).filter(
      (row) => halfOf(pairs.urls[row]) === half,
    )
    const ofOthers = { ...facts, model: { ...model, pairs: [model.pairs[half]] } }
    const values = predictPairs(ofOthers, {
      table: selectRows(pairs.table, own),
      queries: own.map((row) => pairs.queries[row]),
    })
    for (let i = 0; i < own.length; i++) expected[own[i]] = values[i]
  }
  const came = Float64Array.from(pairs.ranks, (rank) => Number(rank > 0 && rank <= TOP_K))
  const calibrator = fitCalibrator(expected, came, { groups: 20, probability: true })
  return (value) => Math.min(1, calibrated(calibrator, value))
}

/** About `most` of the numbers, always the same ones. */
function some(numbers: Uint32Array, most: number): Uint32Array {
  return numbers.filter(sampleOf(0x7e4, numbers.length, most))
}
