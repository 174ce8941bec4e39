import { candidateValues } from '#policy/acquire/candidate-values.ts'
import {
  type ExplainedCandidate,
  explainCandidate,
  SCORE_RULE,
} from '#policy/acquire/explain-impact.ts'
import type { ImpactGrounds } from '#policy/acquire/impact.ts'
import { learnPaper } from '#policy/acquire/paper/paper-model.ts'
import { topTenChance } from '#policy/acquire/top-ten-chance.ts'
import type { AddedBids } from '#policy/budget/added-bids.ts'
import type { OpenCrawl } from '../open/open-crawl.ts'

const RIVALS_SHOWN = 10

/** What queries make of a URL that is not fetched. */
export interface QueryDemand extends Omit<ExplainedCandidate, 'rivals'> {
  /** Queries are synthetic, from what was crawled, as there is no log. */
  readonly madeUp: boolean
  /** The share of its bid that is by the log, where that is small: the rest is by links. 1 otherwise. */
  readonly logShare: number
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
  const addressOf = (number: number) => urls.urlOf(number)
  const values = candidateValues(facts)
  const { rivals, ...explained } = explainCandidate(values, url, forecasts, addressOf)
  return {
    madeUp: (await store.queries(now)).length === 0,
    logShare: facts.logShare ?? 1,
    ...explained,
    rivals: rivals.slice(0, RIVALS_SHOWN).map((rival) => ({
      url: urls.urlOf(rival.url),
      gain: bids.gains[bids.urls.indexOf(rival.url)],
      queries: rival.queries,
    })),
  }
}
