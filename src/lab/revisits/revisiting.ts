import { SECONDS_A_DAY } from '#learn/histories.ts'
import type { Bidder } from '#policy/bidder.ts'
import { type FactName, someFacts } from '#policy/facts/facts.ts'
import { coverGraph, NEW, OLD } from '../covers/cover-graph.ts'
import { odWin } from '../covers/history-algorithms.ts'
import type { Recrawl } from '../covers/past-recrawls.ts'
import { bestFirst } from '../selection/best-first.ts'
import { type DiscoveryCrawler, NEVER, type SeenByRevisit } from './discovery-crawler.ts'

/** Which pages to revisit at a snapshot, best first, and what to learn from it. */
export interface Revisiting {
  choose(snapshot: number, budget: number): ArrayLike<number>
  learn?(snapshot: number, page: number, seen: SeenByRevisit | undefined): void
  /** After all revisits of a snapshot. */
  settle?(snapshot: number): void
}

/** A way of revisiting, for a crawler that knows the first snapshot. */
export type RevisitingWay = (crawler: DiscoveryCrawler) => Revisiting

export const DAYS_A_SNAPSHOT = 7

/** What bidders may need here. */
export const REVISIT_FACTS: readonly FactName[] = ['pages', 'ages', 'addresses', 'hosts']

/** As somebody bids who needs no more than those; of equal bids the lowest page goes first. */
export function byBidder(bidder: Bidder, seed = 0): RevisitingWay {
  return (crawler) => ({
    choose: (snapshot, budget) => {
      const { site } = crawler
      const pages = crawler.known()
      const snapshotsSince = (page: number) => snapshot - crawler.lastVisit[page]
      const facts = someFacts({
        ...{ now: snapshot * DAYS_A_SNAPSHOT * SECONDS_A_DAY, seed, budget },
        candidates: new Uint32Array(0),
        pages,
        ages: Float64Array.from(
          pages,
          (page) => snapshotsSince(page) * DAYS_A_SNAPSHOT * SECONDS_A_DAY,
        ),
        addresses: { of: (page) => site.urlOf(page) },
        hosts: site.siteOf,
      })
      return bestFirst(bidder.bids(facts)).subarray(0, budget)
    },
  })
}

/** By in-degree, of the copies held, times the time since the last visit: the more linked, the more often. */
export const byInDegree: RevisitingWay = (crawler) => ({
  choose: (snapshot, budget) =>
    best(
      crawler.known(),
      budget,
      (page) => (1 + crawler.inLinks[page]) * (snapshot - crawler.lastVisit[page]),
    ),
})

/**
 * Everything at every fourth snapshot, beginning with the first there is, and between them the
 * `between` pages that led to most at these recrawls.
 */
export function byOdWin(period: number, between: number): RevisitingWay {
  return (crawler) => {
    const order = odWin()
    const recrawls: Recrawl[] = []
    const isRecrawl = (snapshot: number) => snapshot % period === 1 % period
    let lastRecrawl = 0
    return {
      choose: (snapshot) => {
        if (isRecrawl(snapshot)) return crawler.known()
        const ranked = order(recrawls, snapshot).filter((page) => !crawler.isGone[page])
        return ranked.subarray(0, between)
      },
      settle: (snapshot) => {
        if (!isRecrawl(snapshot)) return
        recrawls.push({ time: snapshot, graph: foundSince(crawler, lastRecrawl, snapshot) })
        lastRecrawl = snapshot
      },
    }
  }
}

/** What came to be known after one snapshot, and which pages known then lead to it now. */
function foundSince({ site, foundAt }: DiscoveryCrawler, since: number, snapshot: number) {
  const now = site.versionsAt[snapshot]
  const roles = Uint8Array.from(foundAt, (found, page) => {
    if (found === NEVER || now[page] < 0) return 0
    return found > since ? NEW : OLD
  })
  return coverGraph({ links: site.links, rowOf: now, roles })
}

/** The pages of most worth; of equal ones the lowest goes first. */
export function best(
  pages: Uint32Array,
  budget: number,
  worth: (page: number) => number,
): Uint32Array {
  const values = new Float64Array(pages.length === 0 ? 0 : pages[pages.length - 1] + 1)
  for (const page of pages) values[page] = worth(page)
  return pages.sort((a, b) => values[b] - values[a] || a - b).subarray(0, budget)
}
