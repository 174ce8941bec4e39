import type { AcquisitionFacts, AskedQuery } from '#frontier/acquisition-facts.ts'
import type { Frontier } from '#frontier/frontier.ts'
import type { Bids, Policy } from '#policy/bids.ts'
import { outlookOf } from '#policy/budget/outlook.ts'
import { byPageRank } from '#policy/by-pagerank.ts'
import { planFetches } from '#policy/scheduler.ts'
import type { TextIndex } from '#search/text-index.ts'
import { Acquisition, type AcquisitionOptions } from './acquisition.ts'
import type { Plan, Planner, PlanRequest } from './planner.ts'
import type { LoggedFetch } from './ports.ts'

/** Who wants to know what new pages are worth. */
export interface AcquireRequest extends Pick<PlanRequest, 'now' | 'seed' | 'candidates'> {
  readonly budget: number
}

export interface QueryDrivenSetup extends AcquisitionOptions {
  readonly policy: Policy<AcquisitionFacts>
  /** Whether its bids are quality, so that they can be held against what was gained. */
  readonly bidsInQuality?: boolean
  readonly frontier: Frontier
  readonly index: TextIndex
  /** What searchers ask; none if there is no query log. */
  readonly queries: readonly AskedQuery[]
  /** Queries to go by while there is no log, made up from what was crawled; the weightiest first. */
  readonly madeUp?: () => Promise<readonly AskedQuery[]>
}

/**
 * Queries are made up anew when so many times as many pages are held, and when a crawl is taken up: like models,
 * they are not stored, and those of more pages say more of what there is.
 */
const MAKE_UP_AFTER = 2
/** Fewer pages have too little to say. */
const FIRST_MADE_UP = 50
/** So many queries for each page held are enough: with more, plans took longer and were no better. */
const MADE_UP_A_PAGE = 2
/** With queries made up, models are learnt anew more seldom than by a log: plans were no worse for it. */
const RELEARN_MADE_UP_AFTER = 1.5

/**
 * A policy that reads queries, at work on a crawl: knows what it needs to know, and bids when asked.
 * Before there are queries, it goes by PageRank.
 */
export class QueryDriven implements Planner {
  readonly #setup: QueryDrivenSetup
  #acquisition: Acquisition | undefined
  #pagesAtMaking = 0

  constructor(setup: QueryDrivenSetup) {
    this.#setup = setup
    if (setup.queries.length > 0) this.#takeUp(setup.queries)
  }

  /** To be awaited before a plan: where there is no log, queries grow with what is held. */
  async renew(): Promise<void> {
    const { queries, madeUp, index } = this.#setup
    const enough = Math.max(FIRST_MADE_UP, MAKE_UP_AFTER * this.#pagesAtMaking)
    if (queries.length > 0 || madeUp === undefined || index.size < enough) return
    this.#pagesAtMaking = index.size
    const made = (await madeUp()).slice(0, MADE_UP_A_PAGE * index.size)
    if (made.length > 0)
      this.#takeUp(made, { withoutLog: true, relearnAfter: RELEARN_MADE_UP_AFTER })
  }

  /** Takes up what was fetched. */
  learn(fetches: readonly LoggedFetch[]): void {
    this.#acquisition?.learn(fetches.map(({ outcome }) => outcome.id))
  }

  /** New pages only. */
  plan(request: PlanRequest): Plan {
    const { limits, otherBids } = request
    const { bids, facts } = this.consider({ ...request, budget: limits.budget })
    const fetches = planFetches([...otherBids, bids], limits)
    if (facts === undefined || !this.#setup.bidsInQuality) return { fetches }
    return { fetches, outlook: (count) => outlookOf([bids], count) }
  }

  /** The bids with what they were made from; there are no facts before there are queries. */
  consider({ now, seed, budget, candidates }: AcquireRequest): {
    bids: Bids
    facts?: AcquisitionFacts
  } {
    const { policy, frontier } = this.#setup
    if (!this.#acquisition)
      return { bids: byPageRank({ ...frontier.graphFacts(now, seed), candidates }) }
    const facts = this.#acquisition.facts(now, seed, budget, candidates)
    return { bids: policy(facts), facts }
  }

  #takeUp(queries: readonly AskedQuery[], more: AcquisitionOptions = {}): void {
    const { frontier, index, worth, learns, lessons } = this.#setup
    const options = { worth, learns, lessons, ...more }
    if (this.#acquisition) this.#acquisition.setQueries(queries)
    else this.#acquisition = new Acquisition(frontier, index, queries, options)
  }
}
