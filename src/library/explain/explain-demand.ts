import { candidateValues } from '#policy/acquire/candidate-values.ts'
import { type CurrentResult, explainCandidate, SCORE_RULE } from '#policy/acquire/explain-impact.ts'
import type { ImpactGrounds } from '#policy/acquire/impact.ts'
import type { MatchedWords } from '#policy/acquire/pairs/matched-words.ts'
import { learnPaper } from '#policy/acquire/paper/paper-model.ts'
import { topTenChance } from '#policy/acquire/top-ten-chance.ts'
import type { AddedBids } from '#policy/budget/added-bids.ts'
import type { OpenCrawl } from '../open/open-crawl.ts'

const RIVALS_SHOWN = 10

/** A result of a query as it is answered now. */
export interface ShownResult {
  readonly url: string
  readonly score: number
  readonly rank: number
}

export interface WantingQuery {
  readonly query: string
  readonly weight: number
  /** How likely it comes among the first ten, and what is expected of it: 1 is a usual result there. */
  readonly chance: number
  readonly expected: number
  /** Its part of what the page is worth alone. */
  readonly gain: number
  readonly matched: MatchedWords
  readonly linkedFrom: readonly ShownResult[]
  readonly predicted?: { readonly score: number; readonly rank: number }
  readonly results: number
  readonly best?: ShownResult
  /** What leaves the first ten if the page comes in; absent while there is room. */
  readonly displaces?: ShownResult
}

/** What queries make of a URL that is not fetched. */
export interface QueryDemand {
  /** Queries were made up from what was crawled, as there is no log. */
  readonly madeUp: boolean
  /** The share of its bid that is by the log, where that is small: the rest is by links. 1 otherwise. */
  readonly logShare: number
  /** Quality a search that it is worth if nothing else is fetched; `unasked` is the part that no query asks for. */
  readonly alone: number
  readonly unasked: number
  readonly queries: readonly WantingQuery[]
  /** Other candidates that the same queries want. */
  readonly rivals: readonly {
    readonly url: string
    readonly gain: number
    readonly queries: readonly string[]
  }[]
}

/** What queries want of a candidate, and who else they want; gains of rivals are those that were bid. */
export async function demandFor(
  { state, store }: OpenCrawl,
  { facts, asked }: ImpactGrounds,
  bids: AddedBids,
  url: number,
  now: number,
): Promise<QueryDemand> {
  const { urls } = state.frontier
  const paper = learnPaper(facts, SCORE_RULE, asked.scoresOf, asked.topK)
  const forecasts = { chance: topTenChance(facts), score: paper?.score }
  const explained = explainCandidate(candidateValues(facts), url, forecasts)
  const shown = ({ url, score, rank }: CurrentResult) => ({ url: urls.urlOf(url), score, rank })
  return {
    madeUp: (await store.queries(now)).length === 0,
    logShare: facts.logShare ?? 1,
    alone: explained.alone,
    unasked: explained.unasked,
    queries: explained.wishes.map(({ query, text, linkedFrom, best, tenth, ...wish }) => ({
      query: text,
      ...wish,
      linkedFrom: linkedFrom.map(shown),
      best: best && shown(best),
      displaces: tenth && shown(tenth),
    })),
    rivals: explained.rivals.slice(0, RIVALS_SHOWN).map((rival) => ({
      url: urls.urlOf(rival.url),
      gain: bids.gains[bids.urls.indexOf(rival.url)],
      queries: rival.shared.map((query) => facts.queries[query].text),
    })),
  }
}
