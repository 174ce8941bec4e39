import type { Frontier } from '#frontier/frontier.ts'
import { factorsOf } from '#learn/alarms/regime-watch.ts'
import { type Histories, SECONDS_A_DAY } from '#learn/histories.ts'
import type { Lessons } from '#learn/lessons.ts'
import { expectedNews } from '#learn/yields/expected-news.ts'
import { listKindOf } from '#learn/yields/first-yields.ts'
import type { ExpectedNews } from '#learn/yields/share-book.ts'

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

/** URLs nobody has mentioned yet that first fetches are expected to show: sitemaps and feeds as such files did. */
function firstLinksOf(
  candidates: Uint32Array,
  frontier: Frontier,
  { firstYields }: Histories,
): Float64Array {
  const [classes, hosts] = [frontier.classes.all(), frontier.urls.hosts()]
  return Float64Array.from(candidates, (url) => {
    const kind = listKindOf(url, frontier)
    return kind ? firstYields.ofList(kind, hosts[url]) : firstYields.of(classes[url])
  })
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
