import { type Csr, csrFromEdges } from '#numeric/csr.ts'
import { GrowingColumn } from '#numeric/grow.ts'
import type { AcquisitionFacts, PageModel } from '../facts/acquisition-facts.ts'
import { TOP_K } from '../facts/worth.ts'
import {
  type ExpectedPairs,
  NO_PAIRS,
  noQueryValue,
  predictPageValue,
  queryValue,
  trustIn,
} from './page-value.ts'
import { MOST_EACH } from './pairs/pair-features.ts'
import { predictPairs } from './pairs/pair-model.ts'
import { type Survey, surveyOf } from './survey.ts'

/** Queries looked at together: enough to predict many pairs at once, few enough to stay small. */
const BLOCK = 256
/** About so many pairs are looked at in a plan, and so many of a query at least by words, and by links. */
const PAIRS_A_PLAN = 24_000
const LEAST_EACH = 8
/** Pairs expected to be worth less say nothing about places taken. */
const LEAST_EXPECTED = 0.002
/** What no query asks for by name is still worth this share of what lies around it. */
const LEAST_ASKED = 0.1
/** The paper's share of what links say, for as long as little is learnt. */
const LINKS_SHARE = 0.1

/** What candidates are worth a search, in the unit of `worth`; arrays are by candidate. */
export interface CandidateValues {
  /** Only what tells why; the rest is large. */
  readonly survey: Pick<Survey, 'facts' | 'traits' | 'weights'>
  /** What each query expects of each candidate, and where the pairs of each URL stand. */
  readonly pairs: ExpectedPairs
  readonly pairsByUrl: Csr
  /** To the queries asked so far. */
  readonly asked: Float64Array
  /** To queries nobody has asked yet. */
  readonly unasked: Float64Array
  /** To tomorrow's searchers. */
  readonly value: Float64Array
}

/**
 * Two estimates of what a page is worth, and their mean: what the queries asked so far want, and what such
 * pages are worth to queries nobody has asked yet. Errors of both are factors, so the mean is a geometric
 * one. Without a log nothing was asked.
 */
export function candidateValues(facts: AcquisitionFacts): CandidateValues {
  const { candidates, model, withoutLog } = facts
  const survey = surveyOf(facts, candidates)
  const { traits, weights, unknownWeights } = survey
  if (withoutLog) {
    const value = unaskedValues(survey, withoutLog.model)
    const asked = new Float64Array(candidates.length)
    const found = { survey: { facts, traits, weights }, pairs: NO_PAIRS, asked }
    return { ...found, pairsByUrl: pairsOf(facts, NO_PAIRS), unasked: value, value }
  }
  const [known, unknown] = [noQueryValue(candidates.length), noQueryValue(candidates.length)]
  const pairs = expectedPairs(survey, (some) => {
    queryValue(survey, some, weights, known)
    queryValue(survey, some, unknownWeights, unknown)
  })
  const asked = known.sum
  const links = linkValue(survey, asked)
  const found = {
    survey: { facts, traits, weights },
    pairs,
    pairsByUrl: pairsOf(facts, pairs),
    asked,
  }
  const unasked = model ? predictPageValue(model, survey, unknown) : links
  const trust = model ? trustIn(model) : 0
  const value = asked.map((wanted, i) => mixedValue(wanted, unasked[i], links[i], trust))
  return { ...found, unasked, value }
}

/** What a page is worth, by what queries and links say of it, and a model that is trusted so far. */
export function mixedValue(asked: number, unasked: number, links: number, trust: number): number {
  const hybrid = (1 - LINKS_SHARE) * asked + LINKS_SHARE * links
  const learnt = Math.sqrt(unasked * (asked + LEAST_ASKED * unasked))
  return trust * learnt + (1 - trust) * hybrid
}

/** What is left of a candidate's value when queries expect so much less of it than they did alone. */
export function valueLeft(
  { asked, unasked, value }: Pick<CandidateValues, 'asked' | 'unasked' | 'value'>,
  i: number,
  lost: number,
): number {
  const before = asked[i] + LEAST_ASKED * unasked[i]
  return lost > 0 ? value[i] * Math.sqrt(Math.max(0, 1 - lost / before)) : value[i]
}

/** Pairs of a query of this weight that are looked at by words, and by links: the more it is asked, the closer. */
export function pairsLookedAt(weight: number): number {
  return Math.min(MOST_EACH, Math.ceil(LEAST_EACH + (PAIRS_A_PLAN / 2) * weight))
}

/** What candidates are expected to be worth to each query; shows all pairs, and keeps those of some worth. */
function expectedPairs(
  { facts, finder, isSurveyed, unknownWeights }: Survey,
  show: (pairs: ExpectedPairs) => void,
): ExpectedPairs {
  const queries = new GrowingColumn(Uint32Array)
  const urls = new GrowingColumn(Uint32Array)
  const expected = new GrowingColumn(Float64Array)
  const most = (query: number) => pairsLookedAt(unknownWeights[query])
  for (let first = 0; first < facts.queries.length; first += BLOCK) {
    const end = Math.min(first + BLOCK, facts.queries.length)
    const block = Array.from({ length: end - first }, (_, i) => first + i)
    const found = finder.find(block, isSurveyed, most)
    const predicted = { ...found, expected: predictPairs(facts, found) }
    const pairs = withClickedPairs(facts, block, isSurveyed, predicted)
    show(pairs)
    const isKept = (_: number, row: number) => pairs.expected[row] >= LEAST_EXPECTED
    queries.append(pairs.queries.filter(isKept))
    urls.append(pairs.urls.filter(isKept))
    expected.append(pairs.expected.filter(isKept))
  }
  return { queries: queries.view(), urls: urls.view(), expected: expected.view() }
}

/** Where the pairs of each URL stand. */
function pairsOf({ domains }: AcquisitionFacts, { urls }: ExpectedPairs): Csr {
  return csrFromEdges(
    domains.length,
    urls,
    new Uint32Array(urls.length).map((_, pair) => pair),
  )
}

/**
 * What URLs are worth by PageRank: in all as much as `others`, which are of the same URLs; if those come to nothing, so
 * little that only the order counts.
 */
export function linkValue(
  { urls, traits: { ranks } }: Pick<Survey, 'urls' | 'traits'>,
  others: Float64Array,
): Float64Array {
  let [value, rank] = [0, 0]
  for (let i = 0; i < urls.length; i++) {
    value += others[i]
    rank += ranks[urls[i]]
  }
  const scale = Math.max(value, Number.EPSILON) / rank
  const values = new Float64Array(urls.length)
  for (let i = 0; i < urls.length; i++) values[i] = scale * ranks[urls[i]]
  return values
}

/** Links count three times as much as what was learnt: synthetic queries, from what is held, tell little of those that are asked. */
const LEARNT_SHARE = 0.25

/**
 * What URLs are worth where there is no log: a geometric mean of what links say, and of what pages like them turned out to
 * be worth to synthetic queries, from what was crawled. Looking for the words of such queries in addresses and
 * anchors finds no better pages, and takes most of a plan's time.
 */
export function unaskedValues(survey: Survey, model: PageModel | undefined): Float64Array {
  const { length } = survey.urls
  if (model === undefined) return linkValue(survey, new Float64Array(length))
  const learnt = predictPageValue(model, survey, noQueryValue(length))
  const links = linkValue(survey, learnt)
  const trust = trustIn(model)
  return links.map((link, i) => {
    const both = learnt[i] ** LEARNT_SHARE * link ** (1 - LEARNT_SHARE)
    return trust * both + (1 - trust) * link
  })
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
