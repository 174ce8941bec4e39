import type { Frontier } from '#frontier/frontier.ts'
import type { Bids, Policy } from '#policy/bids.ts'
import { outlookOf } from '#policy/budget/outlook.ts'
import { planFetches } from '#policy/budget/scheduler.ts'
import type { AcquisitionFacts, AskedQuery } from '#policy/facts/acquisition-facts.ts'
import { byPageRank } from '#policy/orders/by-pagerank.ts'
import type { TextIndex } from '#search/full-text/text-index.ts'
import { Acquisition, type AcquisitionOptions } from './acquisition.ts'
import type { Plan, Planner, PlanRequest } from './planner.ts'

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
  /** Queries to go by while there is no log, or a small one; made up from what was crawled, the weightiest first. */
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

/** What is thought without a log counts as much as a log of so many queries: a first search must not decide all. */
const TRUST_WITHOUT_LOG = 10
/** A larger log has the say alone. */
const LARGE_LOG = 50

/**
 * A policy that reads queries, at work on a crawl: knows what it needs to know, and bids when asked.
 * Before there are queries, it goes by PageRank.
 */
export class QueryDriven implements Planner {
  readonly #setup: QueryDrivenSetup
  /** By the log, and by queries that were made up. */
  readonly #asked: Acquisition | undefined
  #madeUp: Acquisition | undefined
  #pagesAtMaking = 0

  constructor(setup: QueryDrivenSetup) {
    this.#setup = setup
    if (setup.queries.length > 0) this.#asked = this.#acquisitionBy(setup.queries)
  }

  /** To be awaited before a plan: queries that are made up grow with what is held. */
  async renew(): Promise<void> {
    const { madeUp, index } = this.#setup
    const enough = Math.max(FIRST_MADE_UP, MAKE_UP_AFTER * this.#pagesAtMaking)
    if (madeUp === undefined || index.size < enough || !this.#needsMore()) return
    this.#pagesAtMaking = index.size
    const made = (await madeUp()).slice(0, MADE_UP_A_PAGE * index.size)
    if (made.length === 0) return
    const options = { withoutLog: true, relearnAfter: RELEARN_MADE_UP_AFTER, lessons: [] }
    if (this.#madeUp) this.#madeUp.setQueries(made)
    else this.#madeUp = this.#acquisitionBy(made, options)
  }

  /** Where there is no log; and beside a small one, if bids can be added up. */
  #needsMore(): boolean {
    const { queries, bidsInQuality } = this.#setup
    return queries.length === 0 || (bidsInQuality === true && queries.length < LARGE_LOG)
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
    const { policy, frontier, queries } = this.#setup
    const acquisition = this.#asked ?? this.#madeUp
    if (!acquisition) return { bids: byPageRank({ ...frontier.graphFacts(now, seed), candidates }) }
    const facts = acquisition.facts(now, seed, budget, candidates)
    const bids = policy(facts)
    if (acquisition === this.#madeUp || !this.#madeUp) return { bids, facts }
    const others = policy(this.#madeUp.facts(now, seed, budget, candidates))
    const trust = queries.length / (queries.length + TRUST_WITHOUT_LOG)
    const gains = bids.gains.map((gain, i) => trust * gain + (1 - trust) * others.gains[i])
    return { bids: { ...bids, gains }, facts: { ...facts, logShare: trust } }
  }

  #acquisitionBy(queries: readonly AskedQuery[], more: AcquisitionOptions = {}): Acquisition {
    const { frontier, index, worth, learns, lessons } = this.#setup
    return new Acquisition(frontier, index, queries, { worth, learns, lessons, ...more })
  }
}
