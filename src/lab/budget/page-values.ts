import { Acquisition } from '#crawl/acquisition.ts'
import type { AcquisitionModel } from '#frontier/acquisition-facts.ts'
import { impact } from '#policy/acquire/impact.ts'
import type { Bids } from '#policy/bids.ts'
import { heldQueryAnswers } from './held-query-answers.ts'
import type { QueryShares } from './query-shares.ts'
import type { SimulatedCrawler } from './simulated-crawler.ts'

/** Values of all candidates are renewed after so many weeks, or when so many times as many URLs were fetched. */
const RENEW_WEEKS = 8
const RENEW_GROWTH = 1.2

export interface PageValueOptions {
  readonly seed: number
  /** What was learnt from the starting pages; without it the crawl learns as it goes. */
  readonly model?: AcquisitionModel
}

/**
 * What the pages not fetched yet are worth, by the estimator of live crawls. Estimating them all takes longer
 * than everything else in a simulated week, so values are renewed every few weeks, or sooner if the
 * crawl has grown by a fifth; URLs found in between are valued at once, by themselves.
 */
export class PageValues {
  readonly #crawler: SimulatedCrawler
  readonly #acquisition: Acquisition
  readonly #seed: number
  /** By URL: its value in quality a search; not a number if it has none yet. */
  readonly #values: number[] = []
  #renewedAt = Number.NEGATIVE_INFINITY
  #fetchedAtRenewal = 0

  constructor(crawler: SimulatedCrawler, shares: QueryShares, { seed, model }: PageValueOptions) {
    this.#crawler = crawler
    this.#acquisition = acquisitionOf(crawler, shares, model)
    this.#seed = seed
  }

  /** Takes up what pages say of others that were fetched since. */
  learn(urls: Iterable<number>): void {
    this.#acquisition.learn(urls)
  }

  /** Bids in quality a search for all candidates of a week in which so many fetches are to be had. */
  bids(week: number, budget: number): Bids {
    const now = this.#crawler.timeOf(week)
    const { frontier } = this.#crawler
    const candidates = frontier.unfetched(now)
    const fetched = frontier.size - candidates.length
    const isDue =
      week - this.#renewedAt >= RENEW_WEEKS || fetched >= RENEW_GROWTH * this.#fetchedAtRenewal
    const asked = isDue ? candidates : candidates.filter((url) => !(this.#values[url] >= 0))
    if (asked.length > 0) {
      const facts = this.#acquisition.facts(now, this.#seed, budget, asked)
      const { urls, gains } = impact(facts)
      for (let i = 0; i < urls.length; i++) this.#values[urls[i]] = gains[i]
    }
    if (isDue) {
      this.#renewedAt = week
      this.#fetchedAtRenewal = fetched
    }
    return {
      purpose: 'acquire',
      urls: candidates,
      gains: Float64Array.from(candidates, (url) => this.#values[url]),
      why: () => 'what searchers are expected to get of it',
    }
  }
}

/** What the starting pages teach; undefined if they are too few. One model serves all runs from this start. */
export function learnAtStart(
  crawler: SimulatedCrawler,
  shares: QueryShares,
  seed: number,
): AcquisitionModel | undefined {
  return acquisitionOf(crawler, shares, undefined).facts(crawler.timeOf(0), seed, 0).model
}

function acquisitionOf(
  crawler: SimulatedCrawler,
  { seen }: QueryShares,
  model: AcquisitionModel | undefined,
): Acquisition {
  const { world, held, frontier, urlOf } = crawler
  const asked = Uint32Array.from(seen.keys()).filter((query) => seen[query] > 0)
  return new Acquisition(
    frontier,
    () => heldQueryAnswers(world, held, asked, urlOf),
    Array.from(asked, (query) => ({ text: world.queries.texts[query], weight: seen[query] })),
    { worth: 'gain', ...(model && { model }) },
  )
}
