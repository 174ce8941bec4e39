import { type MatchRule, matchesByCoverage, matchesByNgrams } from '#frontier/link-words/rule.ts'
import { GrowingColumn } from '#numeric/grow.ts'
import type { Improvability } from '#workload/improvability.ts'
import type { Policy } from '../../bids.ts'
import { expectedShares } from '../expected-score.ts'
import { matchedPairs } from '../matched-pairs.ts'
import { SaidWords, saidBy } from '../matched-words.ts'
import { type PageTraits, pageTraits } from '../page-traits.ts'
import { realisedWorth } from '../worth.ts'
import { type HybridWeights, hybridImpact, PRINTED_WEIGHTS } from './hybrid.ts'
import { neediestQueries } from './needy-queries.ts'
import type { PaperFacts } from './paper-model.ts'
import { chooseInTurn, impactsTogether, type ScoredPairs } from './query-impact.ts'
import { fitImportance, type ImportanceFit, impactsByImportance } from './query-independent.ts'

export interface PaperOptions {
  /** When a page matches a query. */
  readonly rule: MatchRule
  /**
   * Whether all pages not fetched compete for a query's places at once, as in the paper, or take them
   * one after the other as they are chosen. Either way no two pages count on one place.
   */
  readonly places: 'together' | 'in turn'
  /** What the two estimates count for; `precision` goes by what fetched pages taught. */
  readonly weights: HybridWeights | 'precision'
  /** How impact follows importance; a parabola if left out. */
  readonly importance?: ImportanceFit['form']
  /** Share of the queries that get a sketch, the neediest; all if left out. */
  readonly needyShare?: number
  /** What more fetching can do for queries; if left out, a guess by their scores. */
  readonly improvability?: Improvability
}

/** The paper's policies by name. */
export const PAPER_POLICIES: Readonly<
  Record<string, { readonly summary: string; readonly options: PaperOptions }>
> = {
  'query-independent': {
    summary: 'by the impact that pages of like PageRank have',
    options: {
      rule: matchesByNgrams(1),
      places: 'together',
      weights: { query: 0, independent: 1 },
    },
  },
  'query-driven': {
    summary: 'expected among the first ten for most searchers; links must say the whole query',
    options: {
      rule: matchesByNgrams(1),
      places: 'together',
      weights: { query: 1, independent: 0 },
    },
  },
  'query-driven-coverage': {
    summary: 'as query-driven, but links need to say only what matters of a query',
    options: {
      rule: matchesByCoverage(),
      places: 'together',
      weights: { query: 1, independent: 0 },
    },
  },
  'hybrid-paper': {
    summary: 'nine parts query-driven, one part query-independent',
    options: { rule: matchesByNgrams(1), places: 'together', weights: PRINTED_WEIGHTS },
  },
  hybrid: {
    summary: 'query-driven-coverage and query-independent, by how right each was',
    options: { rule: matchesByCoverage(), places: 'together', weights: 'precision' },
  },
  'hybrid-in-turn': {
    summary: 'as hybrid, but pages take the places of a query one after the other',
    options: { rule: matchesByCoverage(), places: 'in turn', weights: 'precision' },
  },
}

/** A policy as in the paper: what searchers are expected to see, by queries and by importance. */
export function paperPolicy(options: PaperOptions): Policy<PaperFacts> {
  return (facts) => {
    const traits = pageTraits(facts)
    const weights =
      options.weights === 'precision' ? (facts.paper?.weights ?? PRINTED_WEIGHTS) : options.weights
    const pairs = weights.query > 0 ? expectedPairs(facts, traits, options) : NO_PAIRS
    const independent = independentImpacts(facts, traits, options.importance)
    const gains = gainsOf(facts, pairs, weights, independent, options.places)
    return {
      purpose: 'acquire',
      urls: facts.candidates,
      gains,
      why: (i) => reasonFor(facts, pairs, i, traits, weights),
    }
  }
}

const NO_PAIRS: ScoredPairs = {
  queries: new Uint32Array(0),
  urls: new Uint32Array(0),
  scores: new Float64Array(0),
}

/** Queries looked at together: enough to predict many pairs at once, few enough to stay small. */
const BLOCK = 128

/** Candidates with the scores that are expected of them for needy queries they match. */
function expectedPairs(
  facts: PaperFacts,
  traits: PageTraits,
  { rule, needyShare = 1, improvability }: PaperOptions,
): ScoredPairs {
  const { candidates, hosts, answers, paper } = facts
  const isCandidate = new Uint8Array(hosts.length)
  for (const url of candidates) isCandidate[url] = 1
  const needy = neediestQueries(facts, needyShare, improvability)
  const asked = needy.filter((query) => answers.bounds[query] > 0)
  const queries = new GrowingColumn(Uint32Array)
  const urls = new GrowingColumn(Uint32Array)
  const scores = new GrowingColumn(Float64Array)
  for (let first = 0; first < asked.length; first += BLOCK) {
    const block = asked.subarray(first, first + BLOCK)
    const pairs = matchedPairs(facts, traits, block, isCandidate, rule)
    const shares = expectedShares(paper?.score, pairs, hosts)
    queries.append(pairs.queries)
    urls.append(pairs.urls)
    scores.append(shares.map((share, row) => share * answers.bounds[pairs.queries[row]]))
  }
  return { queries: queries.view(), urls: urls.view(), scores: scores.view() }
}

/** By candidate: the impact that fetched pages of like importance have. */
function independentImpacts(
  { queries, answers, worth, visits, candidates }: PaperFacts,
  { ranks }: PageTraits,
  form: ImportanceFit['form'] = 'quadratic',
): Float64Array {
  const weights = queries.map(({ weight }) => weight)
  const seen = realisedWorth(answers, weights, worth, ranks.length)
  const fit = fitImportance(
    Float64Array.from(visits, (url) => ranks[url]),
    Float64Array.from(visits, (url) => seen[url]),
    form,
  )
  return impactsByImportance(
    fit,
    Float64Array.from(candidates, (url) => ranks[url]),
  )
}

/** By candidate: both estimates together. */
function gainsOf(
  facts: PaperFacts,
  pairs: ScoredPairs,
  weights: HybridWeights,
  independent: Float64Array,
  places: PaperOptions['places'],
): Float64Array {
  const { candidates, budget, hosts } = facts
  if (places === 'in turn') {
    const others = independent.map((impact) => hybridImpact(weights, 0, impact))
    const mixture = { queryFactor: weights.query, others }
    return chooseInTurn(facts, pairs, candidates, budget, mixture).gains
  }
  const impacts = impactsTogether(facts, pairs, hosts.length)
  return Float64Array.from(candidates, (url, i) =>
    hybridImpact(weights, impacts[url], independent[i]),
  )
}

/** Why a bid was made, in a line: the query asked most that the page matches, by which words, and its links. */
function reasonFor(
  { candidates, queries, words }: PaperFacts,
  pairs: ScoredPairs,
  i: number,
  { ranks }: PageTraits,
  weights: HybridWeights,
): string {
  const url = candidates[i]
  const rows = Array.from(pairs.urls.keys()).filter((row) => pairs.urls[row] === url)
  const weightOf = (row: number) => queries[pairs.queries[row]].weight
  rows.sort((a, b) => weightOf(b) - weightOf(a) || pairs.scores[b] - pairs.scores[a])
  const importance = `its PageRank is ${ranks[url].toFixed(1)} times the average`
  if (rows.length === 0)
    return weights.query > 0 ? `matches no query asked; ${importance}` : importance
  const text = queries[pairs.queries[rows[0]]].text
  const more = rows.length > 1 ? ` and ${rows.length - 1} more` : ''
  const signs = [
    ...saidBy(new SaidWords(words.strings(url)).matching(text)),
    `expected score ${pairs.scores[rows[0]].toFixed(2)}`,
  ]
  const match = `may answer "${text}"${more}: ${signs.join(', ')}`
  return weights.independent > 0 ? `${match}; ${importance}` : match
}
