import type { AcquisitionFacts } from '#frontier/acquisition-facts.ts'
import { type Csr, csrFromEdges } from '#numeric/csr.ts'
import { GrowingColumn } from '#numeric/grow.ts'
import { type ExpectedPairs, noQueryValue, predictPageValue, queryValue } from './page-value.ts'
import { predictPairs } from './pair-model.ts'
import { type Survey, surveyOf } from './survey.ts'

/** Queries looked at together: enough to predict many pairs at once, few enough to stay small. */
const BLOCK = 64
/** Pairs expected to be worth less say nothing about places taken. */
const LEAST_EXPECTED = 0.002
/** What no query asks for by name is still worth this share of what lies around it. */
const LEAST_ASKED = 0.1
/** The paper's share of what links say, for as long as little is learnt. */
const LINKS_SHARE = 0.1
/** The paper's hybrid counts as much as what was learnt from so many pages. */
const HYBRID_WORTH_PAGES = 100

/** What candidates are worth a search, in the unit of `worth`; arrays are by candidate. */
export interface CandidateValues {
  readonly survey: Survey
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
 * one.
 */
export function candidateValues(facts: AcquisitionFacts): CandidateValues {
  const { candidates, model } = facts
  const survey = surveyOf(facts, candidates)
  const urlCount = facts.domains.length
  const [known, unknown] = [noQueryValue(urlCount), noQueryValue(urlCount)]
  const pairs = expectedPairs(survey, (some) => {
    queryValue(facts, some, survey.weights, known)
    queryValue(facts, some, survey.unknownWeights, unknown)
  })
  const pairsByUrl = csrFromEdges(urlCount, pairs.urls, Uint32Array.from(pairs.urls.keys()))
  const asked = Float64Array.from(candidates, (url) => known.sum[url])
  const found = { survey, pairs, pairsByUrl, asked }
  const links = linkValue(survey, asked)
  const hybrid = (i: number) => (1 - LINKS_SHARE) * asked[i] + LINKS_SHARE * links[i]
  if (model === undefined)
    return { ...found, unasked: links, value: asked.map((_, i) => hybrid(i)) }
  const { traits, means } = survey
  const unasked = predictPageValue(model, traits, candidates, means, unknown)
  const trust = model.pagesSeen / (model.pagesSeen + HYBRID_WORTH_PAGES)
  const value = asked.map((sum, i) => {
    const learnt = Math.sqrt(unasked[i] * (sum + LEAST_ASKED * unasked[i]))
    return trust * learnt + (1 - trust) * hybrid(i)
  })
  return { ...found, unasked, value }
}

/** What is left of a candidate's value when queries expect so much less of it than they did alone. */
export function valueLeft(
  { asked, unasked, value }: CandidateValues,
  i: number,
  lost: number,
): number {
  const before = asked[i] + LEAST_ASKED * unasked[i]
  return lost > 0 ? value[i] * Math.sqrt(Math.max(0, 1 - lost / before)) : value[i]
}

/** What candidates are expected to be worth to each query; shows all pairs, and keeps those of some worth. */
function expectedPairs(
  { facts, finder, isSurveyed }: Survey,
  show: (pairs: ExpectedPairs) => void,
): ExpectedPairs {
  const queries = new GrowingColumn(Uint32Array)
  const urls = new GrowingColumn(Uint32Array)
  const expected = new GrowingColumn(Float64Array)
  for (let first = 0; first < facts.queries.length; first += BLOCK) {
    const end = Math.min(first + BLOCK, facts.queries.length)
    const block = Array.from({ length: end - first }, (_, i) => first + i)
    const pairs = finder.find(block, isSurveyed)
    const values = predictPairs(facts, pairs)
    show({ queries: pairs.queries, urls: pairs.urls, expected: values })
    for (let row = 0; row < values.length; row++) {
      if (values[row] < LEAST_EXPECTED) continue
      queries.push(pairs.queries[row])
      urls.push(pairs.urls[row])
      expected.push(values[row])
    }
  }
  return { queries: queries.view(), urls: urls.view(), expected: expected.view() }
}

/** By PageRank, and in all as much as the queries want. */
function linkValue({ urls, traits }: Survey, asked: Float64Array): Float64Array {
  let [value, rank] = [0, 0]
  for (let i = 0; i < urls.length; i++) {
    value += asked[i]
    rank += traits.ranks[urls[i]]
  }
  const scale = Math.max(value, Number.EPSILON) / rank
  return Float64Array.from(urls, (url) => scale * traits.ranks[url])
}
