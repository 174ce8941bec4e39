import type { Frontier } from '#frontier/frontier.ts'
import { NOBODY } from '#frontier/urls/url-states.ts'
import { foundHow, type Histories, SECONDS_A_DAY } from '#learn/histories.ts'
import type { YieldFacts } from '#learn/yields/yield-facts.ts'
import type { Bids } from '#policy/bids.ts'
import type { FoundLinks } from '#policy/discover/links-worth.ts'

/** What discovering policies read now: of the pages held, and of candidates for a first fetch. */
export function yieldFacts(
  frontier: Frontier,
  histories: Histories,
  now: number,
  { pages, candidates }: { readonly pages: Uint32Array; readonly candidates: Uint32Array },
): YieldFacts {
  renewLikes(frontier, histories, pages)
  const firstLinks = new Float64Array(candidates.length)
  const classes = frontier.classes.all()
  for (let i = 0; i < candidates.length; i++) {
    const url = candidates[i]
    firstLinks[i] = histories.firstYields.of(classes[url], foundHow(url, frontier))
  }
  const held = histories.yields.expectations(now / SECONDS_A_DAY, pages)
  return { held, candidates, firstLinks }
}

/** Pages never revisited are judged by others that are as much linked to as they are now. */
function renewLikes(frontier: Frontier, { yields, likes }: Histories, pages: Uint32Array): void {
  for (const page of pages) {
    if (!yields.holds(page) || yields.revisitsOf(page) > 0) continue
    const groups = likes.renewed(page, frontier.inLinksOf(page), frontier)
    if (groups !== undefined) yields.regroup(page, groups)
  }
}

/** Of the URLs that pages link to, the share that a single page does; 1 before there are any. */
export function shownOnce(frontier: Frontier): number {
  let [once, all] = [0, 0]
  for (let url = 0; url < frontier.size; url++) {
    const pages = frontier.inLinksOf(url)
    if (pages > 0) all++
    if (pages === 1) once++
  }
  return all > 0 ? once / all : 1
}

/**
 * Every known URL with who found it, and what it is expected to gain, in quality, by bids for new pages, or was
 * before it was fetched: what it did gain is no guide, as nobody can choose links by that. Only of pages
 * nobody thought about there is nothing else.
 */
export function foundLinks(
  frontier: Frontier,
  histories: Histories,
  { urls, gains, expected = gains }: Pick<Bids, 'urls' | 'gains' | 'expected'>,
  corrected: (url: number, thought: number) => number = (_, thought) => thought,
): FoundLinks {
  const finders = frontier.finders()
  const classes = frontier.classes.all()
  const finderClasses = new Int32Array(finders.length).fill(NOBODY)
  const values = new Float64Array(finders.length)
  for (let i = 0; i < urls.length; i++) values[urls[i]] = corrected(urls[i], expected[i])
  for (let url = 0; url < values.length; url++) {
    if (finders[url] === NOBODY) continue
    finderClasses[url] = classes[finders[url]]
    const gained = histories.firstGainOf(url)
    const thought = histories.firstThoughtOf(url)
    if (!Number.isNaN(thought)) values[url] = corrected(url, thought)
    else if (!Number.isNaN(gained)) values[url] = gained
  }
  return { finderClasses, values }
}
