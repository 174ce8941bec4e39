import { matchesByCoverage } from '#frontier/link-words/rule.ts'
import { rowOf } from '#numeric/csr.ts'
import type { AcquisitionFacts } from '../facts/acquisition-facts.ts'
import { TOP_K } from '../facts/worth.ts'
import { type CandidateValues, valueLeft } from './candidate-values.ts'
import { type ExpectedScore, expectedShares } from './pairs/expected-score.ts'
import { matchedPairs } from './pairs/matched-pairs.ts'
import { type MatchedWords, SaidWords, saidBy } from './pairs/matched-words.ts'
import { type DemandedPages, type QueryDemand, queryDemandsFor } from './query-demand.ts'

/** When links and addresses say enough of a query to predict a score from it. */
export const SCORE_RULE = matchesByCoverage()

/** A result of a query as it is answered now. */
export interface CurrentResult {
  readonly url: string
  readonly score: number
  readonly rank: number
}

/** A query that wants a page not fetched yet, with all that tells why. */
export interface WantingQuery {
  readonly query: string
  readonly weight: number
  /** How likely the page comes among the first ten, and what is expected of it: 1 is a usual result there. */
  readonly chance: number
  readonly expected: number
  /** Its part of what the page is worth alone: quality a search. */
  readonly gain: number
  readonly matched: MatchedWords
  /** Its results that link to the page, best first. */
  readonly linkedFrom: readonly CurrentResult[]
  /** What the page will score, as a single number, and where that would put it; only if words match. */
  readonly predicted?: { readonly score: number; readonly rank: number }
  /** Results now, counted up to fifty or so. */
  readonly results: number
  readonly best?: CurrentResult
  /** What leaves the first ten if the page comes in; absent while there is room. */
  readonly displaces?: CurrentResult
}

/** What a candidate is worth, and to whom. */
export interface ExplainedCandidate {
  /** What it is worth if nothing else is fetched: quality a search. */
  readonly alone: number
  /** The part of it that no query asks for. */
  readonly unasked: number
  /** The query that wants it most first. */
  readonly queries: readonly WantingQuery[]
  /** Other candidates that the same queries want, those they want most first. */
  readonly rivals: readonly { readonly url: number; readonly queries: readonly string[] }[]
}

/** What else was learnt from fetched pages, to tell people what they can picture. */
interface Forecasts {
  /** The chance to come among the first ten, by what a query expects. */
  readonly chance: (expected: number) => number
  readonly score: ExpectedScore | undefined
}

/** Everything that makes a candidate's bid. */
export function explainCandidate(
  values: CandidateValues,
  url: number,
  { chance, score }: Forecasts,
  addressOf: (url: number) => string,
): ExplainedCandidate {
  const { facts } = values.survey
  const { answers, queries } = facts
  const i = facts.candidates.indexOf(url)
  const alone = answers.meanGain * values.value[i]
  const unasked = answers.meanGain * valueLeft(values, i, values.asked[i])
  const demands = queryDemandsFor(values, url)
  const share =
    (alone - unasked) / demands.reduce((sum, { value }) => sum + value, Number.MIN_VALUE)
  const said = new SaidWords(facts.words.strings(url))
  const predicted = predictedScores(values, url, demands, score)
  return {
    alone,
    unasked,
    queries: demands.map(({ query, expected, value }) => {
      const predictedScore = predicted.get(query)
      const resultAt = (rank: number): CurrentResult => {
        const at = query * answers.depth + rank - 1
        return { url: addressOf(answers.urls[at]), score: answers.scores[at], rank }
      }
      const kept = answers.kept[query]
      return {
        query: queries[query].text,
        weight: queries[query].weight,
        expected,
        chance: chance(expected),
        gain: share * value,
        matched: said.matching(queries[query].text),
        ...(predictedScore !== undefined && {
          predicted: { score: predictedScore, rank: rankWith(facts, query, predictedScore) },
        }),
        results: answers.resultCounts[query],
        linkedFrom: linkingRanks(facts, query, url).map(resultAt),
        best: kept > 0 ? resultAt(1) : undefined,
        displaces: kept >= TOP_K ? resultAt(TOP_K) : undefined,
      }
    }),
    rivals: rivalsOf(values, url, demands),
  }
}

/** Why a bid was made, in a line: the query that wants the page most, and by what it goes. */
export function reasonFor(values: DemandedPages, url: number): string {
  const { facts } = values.survey
  if (facts.withoutLog) return 'no query log: by its links, and what pages like it are worth'
  const demands = queryDemandsFor(values, url)
  if (demands.length === 0) return 'no query asks for it; worth what lies around it is worth'
  const [first] = demands
  const { text } = facts.queries[first.query]
  const matched = new SaidWords(facts.words.strings(url)).matching(text)
  const speakers = linkingRanks(facts, first.query, url).length
  const signs = [
    first.expected < 0.01
      ? 'a small chance'
      : `worth ${Math.round(100 * first.expected)} % of a usual top-ten result`,
    ...saidBy(matched),
    ...(speakers > 0
      ? [`${speakers} ${speakers === 1 ? 'result links' : 'results link'} here`]
      : []),
  ]
  const more = demands.length > 1 ? ` and ${demands.length - 1} more` : ''
  return `may answer "${text}"${more}: ${signs.join(', ')}`
}

/** The ranks of those results kept that link to a URL. */
function linkingRanks({ answers, links }: AcquisitionFacts, query: number, url: number): number[] {
  const ranks = Array.from({ length: answers.kept[query] }, (_, i) => i + 1)
  return ranks.filter((rank) =>
    rowOf(links, answers.urls[query * answers.depth + rank - 1]).includes(url),
  )
}

/** By query: the score that is expected of the page, where its words match. */
function predictedScores(
  { survey: { facts, traits } }: CandidateValues,
  url: number,
  demands: readonly QueryDemand[],
  score: ExpectedScore | undefined,
): Map<number, number> {
  const only = new Uint8Array(facts.hosts.length)
  only[url] = 1
  const asked = demands.map(({ query }) => query).filter((query) => facts.answers.bounds[query] > 0)
  const pairs = matchedPairs(facts, traits, asked, only, SCORE_RULE)
  const shares = expectedShares(score, pairs, facts.hosts)
  return new Map(
    Array.from(pairs.queries, (query, row) => [query, shares[row] * facts.answers.bounds[query]]),
  )
}

/** The rank of a page with that score; of those beyond the results kept, the first. */
function rankWith({ answers }: AcquisitionFacts, query: number, score: number): number {
  const first = query * answers.depth
  const scores = answers.scores.subarray(first, first + answers.kept[query])
  return 1 + scores.filter((other) => other >= score).length
}

/** Candidates that any of these queries wants, by how much they want them together. */
function rivalsOf(
  { pairs, survey: { facts } }: CandidateValues,
  url: number,
  demands: readonly QueryDemand[],
): ExplainedCandidate['rivals'] {
  const unitOfQuery = new Map(
    demands.map(({ query, value, expected }) => [query, value / expected]),
  )
  const rivals = new Map<number, { url: number; shared: number[]; value: number }>()
  for (let row = 0; row < pairs.queries.length; row++) {
    const query = pairs.queries[row]
    const unit = unitOfQuery.get(query)
    const rival = pairs.urls[row]
    if (unit === undefined || rival === url) continue
    const known = rivals.get(rival) ?? { url: rival, shared: [], value: 0 }
    known.shared.push(query)
    known.value += unit * pairs.expected[row]
    rivals.set(rival, known)
  }
  return [...rivals.values()]
    .sort((a, b) => b.value - a.value || a.url - b.url)
    .map((rival) => ({
      url: rival.url,
      queries: rival.shared.map((query) => facts.queries[query].text),
    }))
}
