import { mixHash } from '#numeric/hash.ts'
import type { AcquisitionFacts, QueryAnswers } from '../../facts/acquisition-facts.ts'
import { shares } from '../page-value.ts'
import { halfOf, sharesOutOfHalf } from '../pairs/expected-score.ts'
import type { MatchedPairs } from '../pairs/matched-pairs.ts'
import type { Trials } from './hybrid.ts'
import { heldScores, impactsOfHeld, isAmongFirst } from './query-impact.ts'
import { fitImportance, impactsByImportance } from './query-independent.ts'

/**
 * Tries both estimates of impact on fetched pages: each is made of one half of the queries, as before the
 * page's fetch, and met with what the other half of the queries saw of the page. So it comes out how
 * far known queries speak for unknown ones.
 */
export function trialsOf(
  facts: AcquisitionFacts,
  importance: ArrayLike<number>,
  urls: Uint32Array,
  asked: Uint32Array,
  pairs: MatchedPairs,
  scores: Float64Array,
  topK: number,
): Trials {
  const { answers, queries, hosts } = facts
  const expected = sharesOutOfHalf(pairs, scores, hosts)
  const weights = [0, 1].map((half) => {
    const own = new Float64Array(queries.length)
    for (const query of asked)
      if ((mixHash(0xa1f, query) & 1) === half) own[query] = queries[query].weight
    return shares(own)
  })
  const seen = weights.map((own) => impactsOfHeld(answers, own, hosts.length, topK))
  const directions = [0, 1].map((half) => ({
    byQueries: impactsBeforeFetch(answers, pairs, expected, weights[half], hosts.length, topK),
    byImportance: importanceBeforeFetch(urls, importance, seen[half]),
    impacts: seen[1 - half],
  }))
  const joined = (of: (direction: (typeof directions)[number], i: number) => number) =>
    Float64Array.from(directions.flatMap((one) => Array.from(urls, (_, i) => of(one, i))))
  return {
    byQueries: joined(({ byQueries }, i) => byQueries[urls[i]]),
    byImportance: joined(({ byImportance }, i) => byImportance[i]),
    impacts: joined(({ impacts }, i) => impacts[urls[i]]),
    halves: Uint8Array.from(directions.flatMap(() => Array.from(urls, halfOf))),
  }
}

/** What queries would have expected of fetched pages, had each been the one that is missing; by URL. */
function impactsBeforeFetch(
  answers: QueryAnswers,
  { queries, urls }: MatchedPairs,
  expected: Float64Array,
  weights: Float64Array,
  urlCount: number,
  topK: number,
): Float64Array {
  const impacts = new Float64Array(urlCount)
  for (let row = 0; row < urls.length; row++) {
    const query = queries[row]
    if (weights[query] === 0) continue
    const first = query * answers.depth
    const firstK = answers.urls.subarray(first, first + Math.min(topK, answers.kept[query]))
    // Without a page of the first K, those below move up by one.
    const missing = firstK.includes(urls[row]) ? 1 : 0
    const score = expected[row] * answers.bounds[query]
    if (isAmongFirst(score, heldScores(answers, query), -missing, topK))
      impacts[urls[row]] += weights[query]
  }
  return impacts
}

/** What importance says of each page by the pages of the other half. */
function importanceBeforeFetch(
  urls: Uint32Array,
  importance: ArrayLike<number>,
  seen: Float64Array,
): Float64Array {
  const predicted = new Float64Array(urls.length)
  const places = Uint32Array.from(urls.keys())
  for (const half of [0, 1]) {
    const own = places.filter((i) => halfOf(urls[i]) === half)
    const others = urls.filter((url) => halfOf(url) !== half)
    const fit = fitImportance(
      Float64Array.from(others, (url) => importance[url]),
      Float64Array.from(others, (url) => seen[url]),
    )
    const impacts = impactsByImportance(
      fit,
      Float64Array.from(own, (i) => importance[urls[i]]),
    )
    for (let i = 0; i < own.length; i++) predicted[own[i]] = impacts[i]
  }
  return predicted
}
