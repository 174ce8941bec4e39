import { planCycle } from '#crawl/cycle.ts'
import { QueryDriven } from '#crawl/query-driven.ts'
import type { Frontier } from '#frontier/frontier.ts'
import { candidateValues } from '#policy/acquire/candidate-values.ts'
import { type CurrentResult, explainCandidate, SCORE_RULE } from '#policy/acquire/explain-impact.ts'
import type { MatchedWords } from '#policy/acquire/matched-words.ts'
import { PaperLessons } from '#policy/acquire/paper/paper-model.ts'
import { topTenChance } from '#policy/acquire/top-ten-chance.ts'
import type { Bids } from '#policy/bids.ts'
import { defaultScoring } from '#search/default-search.ts'
import { crawlPolicy, readsQueries } from './crawl-policy.ts'
import { type Hold, limitHolds } from './explain-holds.ts'
import type { OpenCrawl } from './open-crawl.ts'
import type { Settings } from './settings.ts'

/** The policy whose estimate of what queries want is shown, whichever makes the bids. */
const ESTIMATOR = 'impact'
const RIVALS_SHOWN = 10

/** What a policy bids for a URL, and where that puts it. */
export interface ExplainedBid {
  readonly gain: number
  /** Among all bids, from 1 on. */
  readonly place: number
  readonly bids: number
  readonly why: string
  /** Whether the next so many fetches would include it. */
  readonly planned: boolean
  readonly planBudget: number
}

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

export interface ExplainedDemand {
  readonly bid: ExplainedBid
  /** Absent if there are no queries, or no index to answer them from. */
  readonly demand?: QueryDemand
  readonly holds: readonly Hold[]
}

/** The bid for a URL not fetched yet under a policy, as `forager plan` would see it, and its grounds. */
export async function explainBid(
  opened: OpenCrawl,
  settings: Settings,
  budget: number,
  now: number,
  url: number,
): Promise<ExplainedDemand> {
  const { state, scope } = opened
  const { frontier } = state
  const open = frontier.unfetched(now)
  const isOpen = open.includes(url)
  const candidates = isOpen ? open : Uint32Array.from([...open, url]).sort()
  const request = { now, seed: settings.seed, budget, candidates }
  const policy = await crawlPolicy(settings.policy, opened, now, settings)
  const made = await bidsBy(policy, frontier, request)
  const { bids } = made
  const estimate =
    settings.policy === ESTIMATOR ? made : await estimateOf(opened, settings, request)
  const caps = {
    perHost: settings.perHost,
    perDomain: settings.perDomain,
    maxPerHost: settings.maxPagesPerHost,
    maxPerDomain: settings.maxPagesPerDomain,
  }
  const rules = { policy: () => bids, scope, seed: settings.seed, ...caps }
  const plan = isOpen
    ? planCycle(state, rules, { budget }, now).fetches.map((fetch) => fetch.url)
    : []
  const planned = plan.includes(url)
  const place = placeOf(bids, url)
  const i = bids.urls.indexOf(url)
  const bid = { gain: bids.gains[i], place, bids: bids.urls.length, why: bids.why(i) }
  const holds = planned || !isOpen ? [] : limitHolds(frontier, url, settings, plan)
  if (isOpen && !planned && holds.length === 0)
    holds.push({ kind: 'plan', text: `${place - 1} better bids; a plan has ${budget} fetches` })
  return {
    bid: { ...bid, planned, planBudget: budget },
    ...(estimate?.facts && { demand: await demandFor(opened, estimate.facts, bids, url, now) }),
    holds,
  }
}

type Request = { now: number; seed: number; budget: number; candidates: Uint32Array }

async function bidsBy(
  policy: Awaited<ReturnType<typeof crawlPolicy>>,
  frontier: Frontier,
  request: Request,
) {
  if (policy instanceof QueryDriven) {
    await policy.renew()
    return policy.consider(request)
  }
  if (typeof policy !== 'function')
    throw new Error('a planner of one budget is explained elsewhere')
  const graph = frontier.graphFacts(request.now, request.seed)
  return { bids: policy({ ...graph, candidates: request.candidates }) }
}

/** What the estimator knows, where another policy makes the bids. */
async function estimateOf(opened: OpenCrawl, settings: Settings, request: Request) {
  const hasQueries =
    readsQueries(settings.policy) || (await opened.store.queries(request.now)).length > 0
  if (!hasQueries || !opened.state.indexer) return undefined
  const policy = await crawlPolicy(ESTIMATOR, opened, request.now, settings)
  return bidsBy(policy, opened.state.frontier, request)
}

type Facts = Parameters<typeof candidateValues>[0]

async function demandFor(
  { state, store }: OpenCrawl,
  facts: Facts,
  bids: Bids,
  url: number,
  now: number,
): Promise<QueryDemand> {
  const { urls } = state.frontier
  const lessons = new PaperLessons(state.indexer!.index, defaultScoring, SCORE_RULE)
  const { paper } = lessons.taught(facts)
  const forecasts = { chance: topTenChance(facts), score: paper?.score }
  const explained = explainCandidate(candidateValues(facts), url, forecasts)
  const shown = ({ url, score, rank }: CurrentResult) => ({ url: urls.urlOf(url), score, rank })
  return {
    madeUp: (await store.queries(now)).length === 0,
    alone: explained.alone,
    unasked: explained.unasked,
    queries: explained.wishes.map(({ query, text, linkedFrom, best, tenth, ...wish }) => ({
      query: text,
      ...wish,
      linkedFrom: linkedFrom.map(shown),
      ...(best && { best: shown(best) }),
      ...(tenth && { displaces: shown(tenth) }),
    })),
    rivals: explained.rivals.slice(0, RIVALS_SHOWN).map((rival) => ({
      url: urls.urlOf(rival.url),
      gain: bids.gains[bids.urls.indexOf(rival.url)],
      queries: rival.shared.map((query) => facts.queries[query].text),
    })),
  }
}

/** The place of a URL's bid when all are taken best first; of equal ones the lower number goes first. */
export function placeOf({ urls, gains }: Bids, url: number): number {
  const own = gains[urls.indexOf(url)]
  let before = 0
  for (let i = 0; i < urls.length; i++)
    if (gains[i] > own || (gains[i] === own && urls[i] < url)) before++
  return before + 1
}
