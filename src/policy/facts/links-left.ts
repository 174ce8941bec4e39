import type { Frontier } from '#frontier/frontier.ts'
import { linksFromOthers } from '#frontier/links-from-others.ts'
import type { Lessons } from '#learn/lessons.ts'
import { REL_SITEMAP } from '#parse/page/page.ts'

/** A sitemap that lists more than this share of the pages held of a host is taken to list all of them. */
const WHOLE_SHARE = 0.5
const NOT_LOSING = -1

/**
 * By place in the pages: how many other pages would link to it if all that did were looked at again. Those that were
 * since its last visit tell of the others: when a menu drops a page, the first few pages tell what the rest will say.
 * None, for a page that its sitemap lists no more.
 */
export function linksLeft({ frontier, histories }: Lessons, pages: Uint32Array): Uint32Array {
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
