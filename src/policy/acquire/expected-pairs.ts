import { GrowingColumn } from '#numeric/grow.ts'
import type { AcquisitionFacts } from '../facts/acquisition-facts.ts'
import { TOP_K } from '../facts/worth.ts'
import type { ExpectedPairs } from './page-value.ts'
import { MOST_EACH } from './pairs/pair-features.ts'
import { predictPairs } from './pairs/pair-model.ts'
import type { Survey } from './survey.ts'

/** Queries looked at together: enough to predict many pairs at once, few enough to stay small. */
const BLOCK = 256
/** About so many pairs are looked at, and so many of a query at least by words, and by links. */
const MOST_PAIRS = 24_000
const LEAST_EACH = 8
/** Pairs expected to be worth less say nothing about places taken. */
const LEAST_EXPECTED = 0.002

/** Pairs of a query of this weight that are looked at by words, and by links: the more it is asked, the closer. */
export function pairsLookedAt(weight: number): number {
  return Math.min(MOST_EACH, Math.ceil(LEAST_EACH + (MOST_PAIRS / 2) * weight))
}

/** What URLs that have a 1 in `only` are expected to be worth to some queries, in the order of these. */
export function expectedPairs(
  { facts, finder, unknownWeights }: Pick<Survey, 'facts' | 'finder' | 'unknownWeights'>,
  only: Uint8Array,
  asked: readonly number[] = [...facts.queries.keys()],
): ExpectedPairs {
  const queries = new GrowingColumn(Uint32Array)
  const urls = new GrowingColumn(Uint32Array)
  const expected = new GrowingColumn(Float64Array)
  const most = (query: number) => pairsLookedAt(unknownWeights[query])
  for (let first = 0; first < asked.length; first += BLOCK) {
    const block = asked.slice(first, first + BLOCK)
    const found = finder.find(block, only, most)
    const predicted = { ...found, expected: predictPairs(facts, found) }
    const pairs = withClickedPairs(facts, block, only, predicted)
    queries.append(pairs.queries)
    urls.append(pairs.urls)
    expected.append(pairs.expected)
  }
  return { queries: queries.view(), urls: urls.view(), expected: expected.view() }
}

/** Those that say something about places taken. */
export function worthPairs({ queries, urls, expected }: ExpectedPairs): ExpectedPairs {
  return pairsAt({ queries, urls, expected }, (row) => expected[row] >= LEAST_EXPECTED)
}

/** Some of the pairs, in their order. */
export function pairsAt(
  { queries, urls, expected }: ExpectedPairs,
  isWanted: (row: number) => boolean,
): ExpectedPairs {
  const rows = new Uint32Array(urls.length)
  let count = 0
  for (let row = 0; row < urls.length; row++) if (isWanted(row)) rows[count++] = row
  const some = {
    queries: new Uint32Array(count),
    urls: new Uint32Array(count),
    expected: new Float64Array(count),
  }
  for (let i = 0; i < count; i++) {
    some.queries[i] = queries[rows[i]]
    some.urls[i] = urls[rows[i]]
    some.expected[i] = expected[rows[i]]
  }
  return some
}

/**
 * Pairs of some queries with what is expected of them, shifted towards what searchers clicked: a candidate may have
 * been an answer elsewhere, as the log of another search engine tells. A query's ten places are shared out by clicks.
 * Without clicks the pairs stay as they are.
 */
function withClickedPairs(
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
