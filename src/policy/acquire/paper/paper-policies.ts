import { type MatchRule, matchesByCoverage, matchesByNgrams } from '#frontier/link-words/rule.ts'
import { GrowingColumn } from '#numeric/grow.ts'
import type { Bidder } from '../../bidder.ts'
import type { Bids } from '../../bids.ts'
import type { Facts } from '../../facts/facts.ts'
import type { QueryFacts } from '../../facts/query-facts.ts'
import { byQueries, factsBefore, QUERY_NEEDS } from '../by-queries.ts'
import { expectedShares } from '../pairs/expected-score.ts'
import { matchedPairs } from '../pairs/matched-pairs.ts'
import { SaidWords, saidBy } from '../pairs/matched-words.ts'
import { type PageTraits, pageTraits } from '../pairs/page-traits.ts'
import { type HybridWeights, hybridImpact, PRINTED_WEIGHTS } from './hybrid.ts'
import { neediestQueries } from './needy-queries.ts'
import { learnPaper, type PaperFacts } from './paper-model.ts'
import { impactsOfHeld, impactsTogether, type ScoredPairs } from './query-impact.ts'
import { fitImportance, impactsByImportance } from './query-independent.ts'

interface PaperOptions {
  /** When a page matches a query: if its texts hold the share ρ of the n-grams, or what matters of the words. */
  readonly matches: 'by n-grams' | 'by coverage'
  /** What the two estimates count for; `precision` goes by what fetched pages taught. */
  readonly weights: HybridWeights | 'precision'
}

/** The bidders of the paper, and `hybrid`, where the weights of its two estimates are learnt. */
export const PAPER_BIDDERS: readonly Bidder[] = [
  paperBidder('query-independent', 'by the impact that pages of similar PageRank have', {
    matches: 'by n-grams',
    weights: { query: 0, independent: 1 },
  }),
  paperBidder(
    'query-driven',
    'expected among the first results of most searchers; links must say the whole query',
    { matches: 'by n-grams', weights: { query: 1, independent: 0 } },
  ),
  paperBidder('hybrid-paper', 'nine parts query-driven, one part query-independent', {
    matches: 'by n-grams',
    weights: PRINTED_WEIGHTS,
  }),
  paperBidder(
    'hybrid',
    'as hybrid-paper, but links need to say only what matters of a query, and both count by how right they were',
    { matches: 'by coverage', weights: 'precision' },
  ),
]

function paperBidder(name: string, summary: string, options: PaperOptions): Bidder {
  const described = { name, summary, unit: 'rank', needs: QUERY_NEEDS, choosesNeedy: true } as const
  return byQueries(described, (facts, asked) =>
    paperBids(paperFacts(facts, asked, options), options),
  )
}

/** What a policy of the paper goes by; its model is learnt if it is time to. */
function paperFacts(facts: Facts, asked: QueryFacts, options: PaperOptions): PaperFacts {
  const own = factsBefore(facts, asked, { visits: facts.visits, answers: asked.answers })
  const { needyShare, topK, matchShare } = asked
  const learn = () => learnPaper(own, ruleOf(options, matchShare), asked.scoresOf, topK)
  const paper = asked.models.of('paper', learn, 'always')
  const progress = needyShare < 1 ? asked.progress : []
  return { ...own, paper, needyShare, progress, topK, matchShare }
}

function ruleOf({ matches }: PaperOptions, matchShare: number): MatchRule {
  return matches === 'by n-grams' ? matchesByNgrams(matchShare) : matchesByCoverage()
}

/**
 * Bids as in the paper: how many searchers are expected to see a page among the first K results, by queries and by
 * importance. Both estimates count searches of the workload, so their sum does too.
 */
export function paperBids(facts: PaperFacts, options: PaperOptions): Bids {
  const traits = pageTraits(facts)
  const weights =
    options.weights === 'precision' ? (facts.paper?.weights ?? PRINTED_WEIGHTS) : options.weights
  const pairs =
    weights.query > 0 ? expectedPairs(facts, traits, ruleOf(options, facts.matchShare)) : NO_PAIRS
  const independent = independentImpacts(facts, traits)
  const impacts = impactsTogether(facts, pairs, facts.hosts.length, facts.topK)
  return {
    purpose: 'acquire',
    urls: facts.candidates,
    gains: Float64Array.from(facts.candidates, (url, i) =>
      hybridImpact(weights, impacts[url], independent[i]),
    ),
    why: (i) => reasonFor(facts, pairs, i, traits, weights),
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
function expectedPairs(facts: PaperFacts, traits: PageTraits, rule: MatchRule): ScoredPairs {
  const { candidates, hosts, answers, paper } = facts
  const isCandidate = new Uint8Array(hosts.length)
  for (const url of candidates) isCandidate[url] = 1
  const asked = neediestQueries(facts).filter((query) => answers.bounds[query] > 0)
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
  { queries, answers, visits, candidates, topK }: PaperFacts,
  { ranks }: PageTraits,
): Float64Array {
  const weights = queries.map(({ weight }) => weight)
  const seen = impactsOfHeld(answers, weights, ranks.length, topK)
  const fit = fitImportance(
    Float64Array.from(visits, (url) => ranks[url]),
    Float64Array.from(visits, (url) => seen[url]),
  )
  return impactsByImportance(
    fit,
    Float64Array.from(candidates, (url) => ranks[url]),
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
