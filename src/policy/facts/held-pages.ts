import type { Frontier } from '#frontier/frontier.ts'
import { linksFromOthers } from '#frontier/links-from-others.ts'
import { factorsOf } from '#learn/alarms/regime-watch.ts'
import type { Lessons } from '#learn/lessons.ts'
import { listKindOf } from '#learn/yields/first-yields.ts'
import { REL_SITEMAP } from '#parse/page/page.ts'
import type { CopyTotals } from './facts.ts'
import type { Views } from './views.ts'

/** What sitemaps and feeds say about the pages held, by place in `pages`. */
export interface ClaimFacts {
  /** By how much what is said, or not said, raises the odds that a page changed; 1 says nothing. */
  readonly oddsFactors: Float64Array
  /** The sitemaps and feeds among the pages. */
  readonly lists?: readonly HeldList[]
}

/** A sitemap or feed that is held. */
interface HeldList {
  /** Its place in `pages`. */
  readonly place: number
  /** How many of the copies it lists. */
  readonly copies: number
}

/** What is known about pages that vanish, by place in `pages`. */
export interface GoneFacts {
  /** The share of its class that vanishes a day. */
  readonly goneADay: Float64Array
  /** By how much lost links and alarms raise the odds that a page is gone; 1 says nothing. */
  readonly oddsFactors: Float64Array
  /** What taking away a copy whose page is gone gains for each view it gets. */
  readonly gainPerView: number
}

/** By place in the pages: how often each is seen. */
export function viewsOfPages({ byUrl }: Views, pages: Uint32Array, urlCount: number): Float64Array {
  const views = new Float64Array(urlCount)
  for (const [url, some] of byUrl) views[url] = some
  return Float64Array.from(pages, (page) => views[page])
}

/** What sitemaps and feeds claim of each of the pages. */
export function claimsOf({ frontier }: Lessons, pages: Uint32Array): ClaimFacts {
  const hosts = frontier.urls.hosts()
  const lastVisits = frontier.lastVisits()
  const oddsFactors = Float64Array.from(pages, (page) =>
    frontier.claims.oddsFactorOf(page, hosts[page], lastVisits[page]),
  )
  return { oddsFactors, lists: heldLists(frontier, pages) }
}

/** The sitemaps and feeds among pages, with the number of other pages that each lists. */
function heldLists(frontier: Frontier, pages: Uint32Array): HeldList[] {
  const places = Array.from(pages.keys()).filter(
    (place) => listKindOf(pages[place], frontier) !== undefined,
  )
  if (places.length === 0) return []
  const isHeld = new Uint8Array(frontier.size)
  for (const page of pages) isHeld[page] = 1
  return places.map((place) => {
    const listed = new Set(
      frontier.links.targetsOf(pages[place]).filter((url) => isHeld[url] === 1),
    )
    return { place, copies: listed.size }
  })
}

/** How likely each of the pages is gone, by its class, lost links and alarms; `views` are theirs, with their mean score. */
export function goneOf(
  lessons: Lessons,
  pages: Uint32Array,
  views: Float64Array,
  scorePerView = 1,
  copies?: CopyTotals,
): GoneFacts {
  const { frontier, histories, watch } = lessons
  const classes = frontier.classes.all()
  const lastVisits = frontier.lastVisits()
  const { vanishing } = watch.alarms()
  const factorOf = factorsOf(vanishing)
  const goneADay = Float64Array.from(pages, (page) => histories.gone.goneADay(classes[page]))
  const left = linksLeft(lessons, pages)
  const oddsFactors = Float64Array.from(pages, (page, i) =>
    histories.gone.oddsFactorOf(page, left[i]),
  )
  if (vanishing.length > 0)
    for (let i = 0; i < pages.length; i++)
      oddsFactors[i] *= factorOf(classes[pages[i]], lastVisits[pages[i]])
  const seen = copies ?? { pages: pages.length, views: views.reduce((sum, some) => sum + some, 0) }
  const meanViews = seen.views / seen.pages
  return {
    goneADay,
    oddsFactors,
    gainPerView: histories.gone.gainPerView(scorePerView, meanViews),
  }
}

/** A sitemap that lists more than this share of the pages held of a host is taken to list all of them. */
const WHOLE_SHARE = 0.5
const NOT_LOSING = -1

/**
 * By place in the pages: how many other pages would link to it if all that did were looked at again. Those that were
 * since its last visit tell of the others: when a menu drops a page, the first few pages tell what the rest will say.
 * None, for a page that its sitemap lists no more.
 */
function linksLeft({ frontier, histories }: Lessons, pages: Uint32Array): Uint32Array {
  const { gone } = histories
  const left = Uint32Array.from(pages, (page) => linksFromOthers(page, frontier))
  const losing = pages.filter((page, i) => left[i] > 0 && left[i] < gone.linksBefore(page))
  const kept = keptLinks(frontier, losing)
  const isDropped = droppedPages(frontier, pages)
  pages.forEach((page, i) => {
    if (isDropped(page)) left[i] = 0
    if (kept[page] === NOT_LOSING) return
    const before = gone.linksBefore(page)
    const stayed = Math.min(kept[page], left[i])
    left[i] = Math.round((before * stayed) / (stayed + before - left[i]))
  })
  return left
}

/** By URL, of those that lose links: other pages that were fetched since it was, and link to it still. */
function keptLinks(frontier: Frontier, losing: Uint32Array): Int32Array {
  const lastVisits = frontier.lastVisits()
  // When pages of other buckets were looked at, this one does not know.
  const isDivided = frontier.foreign.areThere
  const domains = frontier.urls.domains()
  const kept = new Int32Array(frontier.size).fill(NOT_LOSING)
  let oldest = Number.POSITIVE_INFINITY
  for (const page of losing) {
    kept[page] = 0
    oldest = Math.min(oldest, lastVisits[page])
  }
  for (let page = 0; page < kept.length; page++) {
    if (!(lastVisits[page] > oldest)) continue // most pages, and all that were never fetched
    for (const target of frontier.links.targetsOf(page))
      if (
        kept[target] >= 0 &&
        page !== target &&
        lastVisits[page] > lastVisits[target] &&
        (!isDivided || domains[page] === domains[target])
      )
        kept[target]++
  }
  return kept
}

/** Tells of a page held whether a sitemap or feed dated it, and the sitemap that lists its host lists it no more. */
function droppedPages(frontier: Frontier, pages: Uint32Array): (page: number) => boolean {
  const { claims, links, urls } = frontier
  const isListed = new Uint8Array(frontier.size)
  for (const hub of claims.hubs()) {
    const { targets, rels } = links.rowOf(hub)
    for (let i = 0; i < targets.length; i++) if (rels[i] & REL_SITEMAP) isListed[targets[i]] = 1
  }
  const hosts = urls.hosts()
  const [held, listed] = [0, 1].map(() => new Uint32Array(urls.hostCount))
  for (const page of pages) {
    held[hosts[page]]++
    listed[hosts[page]] += isListed[page]
  }
  return (page) =>
    isListed[page] === 0 &&
    claims.isDated(page) &&
    listed[hosts[page]] > WHOLE_SHARE * held[hosts[page]]
}
