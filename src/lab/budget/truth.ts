import { NOTHING } from '../refresh/weekly-pages.ts'
import type { SimulatedCrawler } from './simulated-crawler.ts'

/**
 * What nobody can know of a crawl while it runs: what its searchers would really gain by each fetch now, by the
 * queries they will ask, and which links wait unseen. Answers hold for one week.
 */
export class Truth {
  readonly #crawler: SimulatedCrawler
  #week = 0

  constructor(crawler: SimulatedCrawler) {
    this.#crawler = crawler
  }

  turnTo(week: number): void {
    this.#week = week
  }

  /** Quality that a fetch of the URL would gain at once. */
  gainOf(url: number): number {
    return this.gainOfPage(this.#crawler.pageOf[url])
  }

  /** Quality that a fetch of the page would gain at once, known or not. */
  gainOfPage(page: number): number {
    const { held } = this.#crawler
    return held.isStale(page) ? Math.max(0, held.trueGain(page)) : 0
  }

  /** The same by the queries that the crawler knows and the copies it holds: what it would measure itself. */
  measuredGainOf(url: number): number {
    const { held, pageOf } = this.#crawler
    return held.isStale(pageOf[url]) ? Math.max(0, held.measuredGain(pageOf[url])) : 0
  }

  /** Days from the week in which a page became what it is now. */
  daysAsNow(url: number): number {
    const { contents, weeks, days } = this.#crawler.world.pages
    const first = this.#crawler.pageOf[url] * weeks
    let since = this.#week
    while (since > 0 && contents[first + since - 1] === contents[first + this.#week]) since--
    return days[this.#week] - days[since]
  }

  /** Days until the page will say something else, or be gone; to the end of the recording at most. */
  daysToNextChange(page: number): number {
    const { contents, weeks, days } = this.#crawler.world.pages
    const first = page * weeks
    let next = this.#week + 1
    while (next < weeks && contents[first + next] === contents[first + this.#week]) next++
    return days[Math.min(next, weeks - 1)] - days[this.#week] + (next === weeks ? 7 : 0)
  }

  /** Days until the page will be gone; to the end of the recording at most. */
  daysToDeath(page: number): number {
    const { contents, weeks, days } = this.#crawler.world.pages
    const first = page * weeks
    let next = this.#week + 1
    while (next < weeks && contents[first + next] !== NOTHING) next++
    return days[Math.min(next, weeks - 1)] - days[this.#week] + (next === weeks ? 7 : 0)
  }

  /** Calls `visit` for each live page that the URL links to now and that is not known, each once. */
  forEachWaiting(url: number, visit: (page: number) => void): void {
    const { world, held, pageOf, urlOf } = this.#crawler
    const version = world.versionAt(pageOf[url], this.#week)
    if (version === undefined) return
    const seen = new Set<number>()
    world.archive.forEachLink(version, (link) => {
      const page = world.links.pages[link]
      if (page < 0 || urlOf[page] >= 0 || seen.has(page) || !held.isLive(page)) return
      seen.add(page)
      visit(page)
    })
  }
}
