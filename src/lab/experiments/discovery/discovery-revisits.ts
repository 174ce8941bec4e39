import { SECONDS_A_DAY } from '#learn/histories.ts'
import { YieldBook } from '#learn/yields/yield-book.ts'
import { stepsOf, yieldGroups } from '#learn/yields/yield-groups.ts'
import { boundOf } from '#numeric/bound-of.ts'
import { rowOf } from '#numeric/csr.ts'
import { hash32 } from '#numeric/hash.ts'
import { seededRandom } from '#numeric/random.ts'
import { urlPattern } from '#parse/url/url-pattern.ts'
import type { Bidder } from '#policy/bidder.ts'
import { type FactName, someFacts } from '#policy/facts/facts.ts'
import { coverGraph, NEW, OLD } from '../../covers/cover-graph.ts'
import { odWin } from '../../covers/history-algorithms.ts'
import type { Recrawl } from '../../covers/past-recrawls.ts'
import { planRevisits } from '../../covers/revisit-plan.ts'
import { bestFirst } from '../../selection/best-first.ts'
import { DiscoveryCrawler, NEVER, type SeenByRevisit } from './discovery-crawler.ts'
import type { DiscoverySite } from './discovery-site.ts'

/** Which pages to revisit at a snapshot, best first, and what to learn from it. */
export interface Revisiting {
  readonly crawler: DiscoveryCrawler
  choose(snapshot: number, budget: number): ArrayLike<number>
  learn?(snapshot: number, page: number, seen: SeenByRevisit | undefined): void
  /** After all revisits of a snapshot. */
  settle?(snapshot: number): void
}

const DAYS_A_SNAPSHOT = 7

/** What bidders may need here. */
export const REVISIT_FACTS: readonly FactName[] = ['pages', 'ages', 'addresses', 'hosts']

/** As somebody bids who needs no more than those; of equal bids the lowest page goes first. */
export function byBidder(site: DiscoverySite, bidder: Bidder, seed = 0): Revisiting {
  const crawler = new DiscoveryCrawler(site)
  return {
    crawler,
    choose: (snapshot, budget) => {
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
  }
}

/** By in-degree times the time since the last visit: the more linked, the more often. */
export function byInDegree(site: DiscoverySite): Revisiting {
  const crawler = new DiscoveryCrawler(site)
  return {
    crawler,
    choose: (snapshot, budget) => {
      const degrees = inDegreesAt(site, snapshot - 1)
      return best(
        crawler.known(),
        budget,
        (page) => (1 + degrees[page]) * (snapshot - crawler.lastVisit[page]),
      )
    },
  }
}

/** By expected yield, learnt from these very revisits; `seed` makes it sample its rates. */
export function byYield(site: DiscoverySite, { seed }: { seed?: number } = {}): Revisiting {
  const book = new YieldBook(seed === undefined ? {} : { random: seededRandom(seed) })
  const depths = depthsAtStart(site)
  const linked = inDegreesAt(site, 0)
  const sitePages = pagesAtStart(site)
  const groupsOf = (page: number) =>
    groupsAt(site, page, depths[page], linked[page], sitePages[site.siteOf[page]])
  const crawler = new DiscoveryCrawler(site, (page, by) => {
    depths[page] = depths[by] + 1
    book.add(page, crawler.foundAt[page] * DAYS_A_SNAPSHOT, groupsOf(page))
  })
  for (const page of crawler.known()) book.add(page, 0, groupsOf(page))
  return {
    crawler,
    choose: (snapshot, budget) => {
      const expectations = book.expectations(snapshot * DAYS_A_SNAPSHOT, book.pages())
      return planRevisits(expectations, budget).pages
    },
    learn: (snapshot, page, seen) => {
      if (seen === undefined) book.remove(page)
      else book.record({ ...seen, time: snapshot * DAYS_A_SNAPSHOT })
    },
  }
}

/**
 * Everything at every fourth snapshot, beginning with the first there is, and between them the
 * `between` pages that led to most at these recrawls.
 */
export function byOdWin(site: DiscoverySite, period: number, between: number): Revisiting {
  const crawler = new DiscoveryCrawler(site)
  const order = odWin()
  const recrawls: Recrawl[] = []
  const isRecrawl = (snapshot: number) => snapshot % period === 1 % period
  let lastRecrawl = 0
  return {
    crawler,
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

/** What came to be known after one snapshot, and which pages known then lead to it now. */
function foundSince({ site, foundAt }: DiscoveryCrawler, since: number, snapshot: number) {
  const now = site.versionsAt[snapshot]
  const roles = Uint8Array.from(foundAt, (found, page) => {
    if (found === NEVER || now[page] < 0) return 0
    return found > since ? NEW : OLD
  })
  return coverGraph({ links: site.links, rowOf: now, roles })
}

function best(pages: Uint32Array, budget: number, worth: (page: number) => number): Uint32Array {
  const values = new Float64Array(pages.length === 0 ? 0 : pages[pages.length - 1] + 1)
  for (const page of pages) values[page] = worth(page)
  return pages.sort((a, b) => values[b] - values[a] || a - b).subarray(0, budget)
}

/** Distinct live pages that link to each page. */
function inDegreesAt(site: DiscoverySite, snapshot: number): Uint32Array {
  const degrees = new Uint32Array(site.pages)
  for (const version of site.versionsAt[snapshot])
    if (version >= 0) for (const target of rowOf(site.links, version)) degrees[target]++
  return degrees
}

/** Links from the nearest seed at the first snapshot; pages no path leads to are as deep as can be. */
function depthsAtStart(site: DiscoverySite): Uint32Array {
  const far = site.pages
  const depths = new Uint32Array(site.pages).fill(far)
  const queue = site.seeds.filter((page) => site.versionsAt[0][page] >= 0)
  for (const page of queue) depths[page] = 0
  for (const page of queue)
    for (const target of rowOf(site.links, site.versionsAt[0][page])) {
      if (depths[target] !== far || site.versionsAt[0][target] < 0) continue
      depths[target] = depths[page] + 1
      queue.push(target)
    }
  return depths
}

/** As a live crawl compares its pages. */
function groupsAt(
  site: DiscoverySite,
  page: number,
  depth: number,
  links: number,
  sitePages: number,
): Uint32Array {
  const url = site.urlOf(page)
  const pattern = hash32(urlPattern(url))
  const steps = stepsOf(url)
  return yieldGroups({
    form: 'page',
    site: site.siteOf[page],
    depth,
    links,
    steps,
    pattern,
    sitePages,
  })
}

/** By site: pages of the first snapshot. */
function pagesAtStart({ siteOf, versionsAt }: DiscoverySite): Uint32Array {
  const counts = new Uint32Array(boundOf(siteOf))
  for (const [page, version] of versionsAt[0].entries()) if (version >= 0) counts[siteOf[page]]++
  return counts
}
