import type { Frontier } from '#frontier/frontier.ts'
import { factorsOf } from '#learn/alarms/regime-watch.ts'
import { type Histories, SECONDS_A_DAY } from '#learn/histories.ts'
import type { Lessons } from '#learn/lessons.ts'
import { type ListKind, listKindOf } from '#learn/yields/first-yields.ts'
import { type ExpectedNews, expectedNews } from '#learn/yields/share-book.ts'

/** The new links that fetches are expected to show. */
export interface Yields {
  /** By place in the pages held: what revisits are expected to lead to. */
  readonly held: ExpectedNews
  /** By place in the pages held: how many times more links than before alarms tell of. */
  readonly burstFactors: Float64Array
  /** By candidate: URLs nobody has mentioned yet, expected of a first fetch. */
  readonly firstLinks: Float64Array
  /** Of the URLs that pages link to, the share that a single page does; 1 before there are any. */
  readonly shownOnce: number
}

/** What fetches of the pages held, and of candidates, are expected to show now. */
export function yieldsOf(
  { frontier, histories, watch }: Lessons,
  now: number,
  pages: Uint32Array,
  candidates: Uint32Array,
): Yields {
  const classes = frontier.classes.all()
  const lastVisits = frontier.lastVisits()
  const factorOf = factorsOf(watch.alarms().bursts)
  return {
    held: expectedNews(histories, frontier, now / SECONDS_A_DAY, pages),
    burstFactors: Float64Array.from(pages, (page) => factorOf(classes[page], lastVisits[page])),
    firstLinks: firstLinksOf(candidates, frontier, histories),
    shownOnce: shownOnce(frontier),
  }
}

/** So many sitemaps or feeds of a kind are believed in one plan before any was read. */
const FIRST_TRIALS = 2

/**
 * URLs nobody has mentioned yet that first fetches are expected to show: sitemaps and feeds as such files did. One guess
 * is behind all of a kind, so a plan believes as many as were read so far and a few more: the others can wait for what
 * these show. (Forty hosts without a sitemap would cost forty fetches otherwise.)
 */
function firstLinksOf(
  candidates: Uint32Array,
  frontier: Frontier,
  { firstYields }: Histories,
): Float64Array {
  const [classes, hosts] = [frontier.classes.all(), frontier.urls.hosts()]
  const lists = new Map<ListKind, number[]>()
  const links = Float64Array.from(candidates, (url, i) => {
    const kind = listKindOf(url, frontier)
    if (kind === undefined) return firstYields.of(hosts[url], classes[url])
    const ofKind = lists.get(kind)
    if (ofKind) ofKind.push(i)
    else lists.set(kind, [i])
    return firstYields.ofList(kind, hosts[url])
  })
  for (const [kind, places] of lists) {
    const { fetches } = firstYields.listEvidence(kind, hosts[candidates[places[0]]]).all
    const bestFirst = places.toSorted((a, b) => links[b] - links[a] || a - b)
    for (const i of bestFirst.slice(FIRST_TRIALS + fetches)) links[i] = 0
  }
  return links
}

function shownOnce(frontier: Frontier): number {
  let [once, all] = [0, 0]
  for (let url = 0; url < frontier.size; url++) {
    const pages = frontier.inLinksOf(url)
    if (pages > 0) all++
    if (pages === 1) once++
  }
  return all > 0 ? once / all : 1
}
