import { TOP_K } from '../facts/worth.ts'
import { expectedPairs, pairsAt } from './expected-pairs.ts'
import type { ExpectedPairs } from './page-value.ts'
import type { Survey } from './survey.ts'

/** The pairs of a review, with a 1 for each URL that was looked at. */
interface ReviewedPairs {
  readonly pairs: ExpectedPairs
  readonly isSurveyed: Uint8Array
}

/**
 * What queries expect of the surveyed URLs, as the latest review found it. URLs that it did not know are looked at now,
 * and so are all for queries that are asked most. Of what was chosen since, others expect as much as they did, so they
 * expect less of what is left.
 */
export function reviewedPairs(survey: Survey): ExpectedPairs {
  const { facts, isSurveyed } = survey
  const look = () => ({ pairs: expectedPairs(survey, isSurveyed), isSurveyed })
  const reviewed: ReviewedPairs = facts.review?.kept('pairs', look) ?? look()
  if (reviewed.isSurveyed === isSurveyed) return reviewed.pairs
  const isNew = isSurveyed.map((is, url) => (reviewed.isSurveyed[url] === 1 ? 0 : is))
  const isRenewed = new Uint8Array(facts.queries.length)
  const renewed = facts.review?.renewed ?? []
  for (const query of renewed) isRenewed[query] = 1
  const others = [...facts.queries.keys()].filter((query) => isRenewed[query] === 0)
  const taken = takenPlaces(reviewed.pairs, isSurveyed, facts.queries.length)
  const isLeft = ({ urls, queries }: ExpectedPairs, row: number) =>
    isSurveyed[urls[row]] === 1 && isRenewed[queries[row]] === 0
  const kept = pairsAt(reviewed.pairs, (row) => isLeft(reviewed.pairs, row))
  const found = isNew.includes(1) ? [expectedPairs(survey, isNew, others)] : []
  for (const pairs of [kept, ...found]) expectLess(pairs, taken)
  if (renewed.length > 0) found.push(expectedPairs(survey, isSurveyed, renewed))
  return joined([kept, ...found])
}

/** By query: how many good results the URLs are expected to be that are surveyed no longer. */
function takenPlaces(
  { queries, urls, expected }: ExpectedPairs,
  isSurveyed: Uint8Array,
  queryCount: number,
): Float64Array {
  const taken = new Float64Array(queryCount)
  for (let row = 0; row < urls.length; row++)
    if (isSurveyed[urls[row]] !== 1) taken[queries[row]] += expected[row]
  return taken
}

/** A query of which as much is taken as it has places expects others to be worth half. */
function expectLess({ queries, expected }: ExpectedPairs, taken: Float64Array): void {
  for (let row = 0; row < expected.length; row++)
    expected[row] *= TOP_K / (TOP_K + taken[queries[row]])
}

function joined(parts: readonly ExpectedPairs[]): ExpectedPairs {
  const rows = parts.reduce((sum, { urls }) => sum + urls.length, 0)
  const all = {
    queries: new Uint32Array(rows),
    urls: new Uint32Array(rows),
    expected: new Float64Array(rows),
  }
  let at = 0
  for (const { queries, urls, expected } of parts) {
    all.queries.set(queries, at)
    all.urls.set(urls, at)
    all.expected.set(expected, at)
    at += urls.length
  }
  return all
}
