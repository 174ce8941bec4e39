import type { Frontier } from '#frontier/frontier.ts'
import { linksFromOthers } from '#frontier/links-from-others.ts'
import type { Lessons } from '#learn/lessons.ts'
import { boundOf } from '#numeric/bound-of.ts'
import { REL_SITEMAP } from '#parse/page/page.ts'

/** A sitemap that lists more than this share of the pages held of a host is taken to list all of them. */
const WHOLE_SHARE = 0.5

/**
 * By place in the pages: how many other pages would link to it if all that did were looked at again. Those that were
 * since its last visit tell of the others: when a menu drops a page, the first few pages tell what the rest will say.
 * None, for a page that its sitemap lists no more.
 */
export function linksLeft({ frontier, histories }: Lessons, pages: Uint32Array): Uint32Array {
  const { gone } = histories
  const left = Uint32Array.from(pages, (page) => linksFromOthers(page, frontier))
  const isLosing = new Uint8Array(frontier.size)
  pages.forEach((page, i) => {
    if (left[i] > 0 && left[i] < gone.linksBefore(page)) isLosing[page] = 1
  })
  const kept = keptLinks(frontier, isLosing)
  const isDropped = droppedPages(frontier, pages)
  pages.forEach((page, i) => {
    if (isDropped(page)) left[i] = 0
    if (isLosing[page] === 0) return
    const before = gone.linksBefore(page)
    const stayed = Math.min(kept[page], left[i])
    left[i] = Math.round((before * stayed) / (stayed + before - left[i]))
  })
  return left
}

/** By URL, of those that lose links: other pages that were fetched since it was, and link to it still. */
function keptLinks(frontier: Frontier, isLosing: Uint8Array): Uint32Array {
  const lastVisits = frontier.lastVisits()
  const kept = new Uint32Array(frontier.size)
  if (!isLosing.includes(1)) return kept
  for (let page = 0; page < frontier.size; page++)
    for (const target of frontier.links.targetsOf(page))
      if (isLosing[target] === 1 && page !== target && lastVisits[page] > lastVisits[target])
        kept[target]++
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
  const [held, listed] = [0, 1].map(() => new Uint32Array(boundOf(hosts)))
  for (const page of pages) {
    held[hosts[page]]++
    listed[hosts[page]] += isListed[page]
  }
  return (page) =>
    isListed[page] === 0 &&
    claims.isDated(page) &&
    listed[hosts[page]] > WHOLE_SHARE * held[hosts[page]]
}
