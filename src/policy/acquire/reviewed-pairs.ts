import { TOP_K } from '../facts/worth.ts'
import { expectedPairs } from './expected-pairs.ts'
import type { ExpectedPairs } from './page-value.ts'
import type { Survey } from './survey.ts'

/** The pairs of a review, with a 1 for each URL that was looked at. */
interface ReviewedPairs {
  readonly pairs: ExpectedPairs
  readonly isSurveyed: Uint8Array
}

/**
 * What queries expect of the surveyed URLs, as the latest review found it. URLs that it did not know are looked at now.
 * Of what was chosen since, queries expect as much as they did, so they expect less of others.
 */
export function reviewedPairs(survey: Survey): ExpectedPairs {
  const { facts, isSurveyed } = survey
  const look = () => ({ pairs: expectedPairs(survey, isSurveyed), isSurveyed })
  const reviewed: ReviewedPairs = facts.review?.kept('pairs', look) ?? look()
  if (reviewed.isSurveyed === isSurveyed) return reviewed.pairs
  const isNew = isSurveyed.map((is, url) => (reviewed.isSurveyed[url] === 1 ? 0 : is))
  const more = isNew.includes(1) ? [expectedPairs(survey, isNew)] : []
  const taken = takenPlaces(reviewed.pairs, isSurveyed, facts.queries.length)
  return joined([reviewed.pairs, ...more].map((pairs) => stillExpected(pairs, isSurveyed, taken)))
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

/** What is left: a query of which as much is taken as it has places expects others to be worth half. */
function stillExpected(
  { queries, urls, expected }: ExpectedPairs,
  isSurveyed: Uint8Array,
  taken: Float64Array,
): ExpectedPairs {
  const isLeft = (_: number, row: number) => isSurveyed[urls[row]] === 1
  const left = queries.filter(isLeft)
  return {
    queries: left,
    urls: urls.filter(isLeft),
    expected: expected
      .filter(isLeft)
      .map((value, row) => value * (TOP_K / (TOP_K + taken[left[row]]))),
  }
}

function joined(parts: readonly ExpectedPairs[]): ExpectedPairs {
  if (parts.length === 1) return parts[0]
  return {
    queries: Uint32Array.from(parts.flatMap(({ queries }) => [...queries])),
    urls: Uint32Array.from(parts.flatMap(({ urls }) => [...urls])),
    expected: Float64Array.from(parts.flatMap(({ expected }) => [...expected])),
  }
}
