import type { AcquisitionFacts } from '../facts/acquisition-facts.ts'
import { TOP_K } from '../facts/worth.ts'
import type { ExpectedPairs } from './page-value.ts'

/**
 * Pairs of some queries with what is expected of them, shifted towards what searchers clicked: a candidate may have
 * been an answer elsewhere, as the log of another search engine tells. A query's ten places are shared out by clicks.
 * Without clicks the pairs stay as they are.
 */
export function withClickedPairs(
  { answers: { clicks } }: Pick<AcquisitionFacts, 'answers'>,
  asked: readonly number[],
  isSurveyed: Uint8Array,
  pairs: ExpectedPairs,
): ExpectedPairs {
  const clicked = asked.filter((query) => (clicks?.trust[query] ?? 0) > 0)
  if (clicks === undefined || clicked.length === 0) return pairs
  const sharesLeft = new Map(
    clicked.map((query) => [query, new Map(clicks.others.get(query))] as const),
  )
  const expected = pairs.expected.map((value, row) => {
    const shares = sharesLeft.get(pairs.queries[row])
    if (shares === undefined) return value
    const url = pairs.urls[row]
    const trust = clicks.trust[pairs.queries[row]]
    const share = shares.get(url) ?? 0
    shares.delete(url)
    return (1 - trust) * value + trust * share * TOP_K
  })
  const more = [...sharesLeft].flatMap(([query, shares]) =>
    [...shares].flatMap(([url, share]) =>
      isSurveyed[url] === 1 ? [{ query, url, worth: clicks.trust[query] * share * TOP_K }] : [],
    ),
  )
  return {
    queries: Uint32Array.from([...pairs.queries, ...more.map(({ query }) => query)]),
    urls: Uint32Array.from([...pairs.urls, ...more.map(({ url }) => url)]),
    expected: Float64Array.from([...expected, ...more.map(({ worth }) => worth)]),
  }
}
