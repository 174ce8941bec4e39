import type { Lessons } from '#learn/lessons.ts'
import { type Bidder, readsQueries } from '../bidder.ts'
import type { Bids } from '../bids.ts'
import { addedBids } from '../budget/added-bids.ts'
import { outlookOf } from '../budget/outlook.ts'
import { reachOf, reservedFetches } from '../budget/reserve.ts'
import { planFetches } from '../budget/scheduler.ts'
import type { AskedQuery } from '../facts/acquisition-facts.ts'
import { AddressShapes } from '../facts/address-shapes.ts'
import { crawlFacts } from '../facts/crawl-facts.ts'
import type { Facts } from '../facts/facts.ts'
import type { KnownQueries } from '../facts/known-queries.ts'
import { byChance } from './by-chance.ts'
import type { Plan, Planner, PlanRequest } from './plan.ts'

type DraftRequest = Pick<PlanRequest, 'now' | 'seed' | 'candidates' | 'limits' | 'budget'>

interface NewPagesDraft {
  readonly facts: Facts
  readonly bids: Bids
}

/** One bidder that orders new pages alone. */
export class NewPagesPlanner implements Planner {
  readonly #bidder: Bidder
  readonly #lessons: Lessons
  readonly #shapes: AddressShapes
  readonly #queries: KnownQueries | undefined
  /** By candidates: seeds and others are planned one after the other, from one draft. */
  readonly #drafts = new WeakMap<Uint32Array, NewPagesDraft>()

  /** Queries are needed by bidders that read them. */
  constructor(bidder: Bidder, lessons: Lessons, queries?: KnownQueries) {
    this.#bidder = bidder
    this.#lessons = lessons
    this.#shapes = new AddressShapes(lessons.frontier.urls)
    this.#queries = queries
  }

  async renew(): Promise<void> {
    await this.#queries?.renew()
  }

  setQueries(queries: readonly AskedQuery[]): void {
    this.#queries?.setQueries(queries)
  }

  plan(request: PlanRequest): Plan {
    const { limits, otherBids, affords, reserve } = request
    const { facts, bids } = this.drafted(request)
    const all = [...otherBids, bids]
    const fetches = planFetches(all, limits)
    const reach = reachOf(addedBids(all), affords, reserve)
    const reserved = reservedFetches(all, fetches, reach, reserve, limits)
    const isByQueries = readsQueries(this.#bidder) && (facts.asked ?? facts.synthetic) !== undefined
    if (!isByQueries || this.#bidder.unit !== 'quality') return { fetches, reserved }
    return { fetches, reserved, outlook: (count) => outlookOf([bids], count) }
  }

  /** The draft for these candidates: the one that a plan was made from, if there was one. */
  drafted(request: DraftRequest): NewPagesDraft {
    const draft = this.#drafts.get(request.candidates) ?? this.draft(request)
    this.#drafts.set(request.candidates, draft)
    return draft
  }

  /** The bids, and the facts that they were made from. */
  draft(request: DraftRequest): NewPagesDraft {
    const { now, seed, candidates, limits, budget = limits.budget } = request
    const source = {
      lessons: this.#lessons,
      shapes: this.#shapes,
      asked: this.#queries?.asked,
      synthetic: this.#queries?.synthetic,
    }
    const mayRefetch = () => true
    const facts = crawlFacts(source, { now, seed, candidates, budget, mayRefetch })
    const { addresses } = this.#lessons.frontier
    return { facts, bids: byChance(this.#bidder.bids(facts), addresses) }
  }
}
