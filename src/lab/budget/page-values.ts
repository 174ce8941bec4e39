import { Lessons } from '#learn/lessons.ts'
import { acquisitionFacts } from '#policy/acquire/impact.ts'
import type { Bidder } from '#policy/bidder.ts'
import type { Bids } from '#policy/bids.ts'
import type { AcquisitionModel } from '#policy/facts/acquisition-facts.ts'
import { AddressShapes } from '#policy/facts/address-shapes.ts'
import { crawlFacts, type FactSource } from '#policy/facts/crawl-facts.ts'
import type { Facts } from '#policy/facts/facts.ts'
import { QueryKnowledge } from '#policy/facts/query-knowledge.ts'
import { heldQueryAnswers } from './held-query-answers.ts'
import type { QueryShares } from './query-shares.ts'
import type { SimulatedCrawler } from './simulated-crawler.ts'

/** Values of all candidates are renewed after so many weeks, or when so many times as many URLs were fetched. */
const RENEW_WEEKS = 8
const RENEW_GROWTH = 1.3
/** URLs found in between are valued when there are so many of them, or after so many weeks. */
const FOUND_ENOUGH = 15
const FOUND_WEEKS = 3
/** All classes together count as so many first values of a class. */
const TRUST_IN_ALL = 2
/** Where the start teaches too little, learning is tried again when so many times as many pages are held. */
const RELEARN_AFTER = 1.6

interface PageValueOptions {
  readonly seed: number
  /** What was learnt from the starting pages; without it the crawl learns as it goes. */
  readonly model?: AcquisitionModel
}

/**
 * What the pages not fetched yet are worth, by the bidder of live crawls and by its rule. Estimating takes longer than
 * everything else in a simulated week, so values are renewed every few weeks, or sooner if the crawl has grown
 * by a third. URLs found in between are valued together; until then each is taken for the mean of what
 * URLs of its class were first predicted to be worth.
 */
export class PageValues {
  readonly #bidder: Bidder
  readonly #crawler: SimulatedCrawler
  readonly #source: FactSource
  readonly #seed: number
  /** By URL: its value in quality a search; undefined if it has none yet. */
  readonly #values: (number | undefined)[] = []
  readonly #firstValues = new ClassMeans()
  #renewedAt = Number.NEGATIVE_INFINITY
  #valuedAt = Number.NEGATIVE_INFINITY
  #fetchedAtRenewal = 0

  constructor(
    bidder: Bidder,
    crawler: SimulatedCrawler,
    shares: QueryShares,
    { seed, model }: PageValueOptions,
  ) {
    this.#bidder = bidder
    this.#crawler = crawler
    this.#source = sourceOf(crawler, shares, model)
    this.#seed = seed
  }

  /** Bids in quality a search for all candidates of a week in which so many fetches are to be had. */
  bids(week: number, budget: number): Bids {
    const { frontier } = this.#crawler
    const candidates = frontier.unfetched(this.#crawler.timeOf(week))
    const fetched = frontier.size - candidates.length
    const found = candidates.filter((url) => this.#values[url] === undefined)
    if (week - this.#renewedAt >= RENEW_WEEKS || fetched >= RENEW_GROWTH * this.#fetchedAtRenewal) {
      this.#estimate(candidates, week, budget)
      this.#renewedAt = week
      this.#fetchedAtRenewal = fetched
    } else if (found.length >= FOUND_ENOUGH || week - this.#valuedAt >= FOUND_WEEKS)
      this.#estimate(found, week, budget)
    return {
      purpose: 'acquire',
      urls: candidates,
      gains: Float64Array.from(
        candidates,
        (url) => this.#values[url] ?? this.#firstValues.of(this.#classOf(url)),
      ),
      why: () => 'what searchers are expected to get of it',
    }
  }

  #estimate(urls: Uint32Array, week: number, budget: number): void {
    this.#valuedAt = week
    if (urls.length === 0) return
    const now = this.#crawler.timeOf(week)
    const { gains } = this.#bidder.bids(factsAt(this.#source, now, this.#seed, budget, urls))
    for (let i = 0; i < urls.length; i++) {
      if (this.#values[urls[i]] === undefined)
        this.#firstValues.add(this.#classOf(urls[i]), gains[i])
      this.#values[urls[i]] = gains[i]
    }
  }

  #classOf(url: number): number {
    return this.#crawler.frontier.classes.of(url)
  }
}

/** Means by class, each beginning with that of all. */
class ClassMeans {
  readonly #classes = new Map<number, { sum: number; count: number }>()
  readonly #all = { sum: 0, count: 0 }

  add(classNumber: number, value: number): void {
    const own = this.#classes.get(classNumber) ?? { sum: 0, count: 0 }
    this.#classes.set(classNumber, own)
    for (const means of [own, this.#all]) {
      means.sum += value
      means.count++
    }
  }

  of(classNumber: number): number {
    const own = this.#classes.get(classNumber) ?? { sum: 0, count: 0 }
    const ofAll = this.#all.count > 0 ? this.#all.sum / this.#all.count : 0
    return (own.sum + TRUST_IN_ALL * ofAll) / (own.count + TRUST_IN_ALL)
  }
}

/** What the starting pages teach; undefined if they are too few. One model serves all runs from this start. */
export function learnAtStart(
  crawler: SimulatedCrawler,
  shares: QueryShares,
  seed: number,
): AcquisitionModel | undefined {
  const now = crawler.timeOf(0)
  const source = sourceOf(crawler, shares, undefined)
  const facts = factsAt(source, now, seed, 0, crawler.frontier.unfetched(now))
  return acquisitionFacts(facts, facts.asked!).model
}

function factsAt(
  source: FactSource,
  now: number,
  seed: number,
  budget: number,
  candidates: Uint32Array,
): Facts {
  return crawlFacts(source, { now, seed, budget, candidates, mayRefetch: () => true })
}

function sourceOf(
  crawler: SimulatedCrawler,
  { seen }: QueryShares,
  model: AcquisitionModel | undefined,
): FactSource {
  const { world, held, frontier, urlOf } = crawler
  const asked = Uint32Array.from(seen.keys()).filter((query) => seen[query] > 0)
  const queries = Array.from(asked, (query) => ({
    text: world.queries.texts[query],
    weight: seen[query],
  }))
  const answers = () => heldQueryAnswers(world, held, asked, urlOf)
  const options = { relearnAfter: RELEARN_AFTER, models: { impact: model } }
  return {
    lessons: new Lessons(frontier),
    shapes: new AddressShapes(frontier.urls),
    asked: new QueryKnowledge(frontier, answers, queries, options),
  }
}
