import { type Csr, csrFromEdges } from '#numeric/csr.ts'
import type { AcquisitionFacts, PageModel } from '../facts/acquisition-facts.ts'
import { worthPairs } from './expected-pairs.ts'
import {
  type ExpectedPairs,
  NO_PAIRS,
  noQueryValue,
  predictPageValue,
  queryValue,
  trustIn,
} from './page-value.ts'
import { reviewedPairs } from './reviewed-pairs.ts'
import { type Survey, surveyOf } from './survey.ts'

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
  const all = reviewedPairs(survey)
  queryValue(survey, all, weights, known)
  queryValue(survey, all, unknownWeights, unknown)
  const pairs = worthPairs(all)
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
