import { liveVersion, NOTHING } from '../refresh/weekly-pages.ts'
import type { HeldCopies } from '../weeks/held-copies.ts'
import type { WorldCrawl } from '../worlds/world-crawl.ts'

/**
 * What nobody can know of a crawl while it runs: what its searchers would really gain by each fetch now, by the
 * queries they will ask, and which links wait unseen. URLs are numbers of the crawl's frontier, pages those of its copies.
 */
export class Truth {
  readonly #crawl: WorldCrawl
  readonly #copies: HeldCopies

  constructor(crawl: WorldCrawl, copies: HeldCopies) {
    this.#crawl = crawl
    this.#copies = copies
  }

  get week(): number {
    return this.#copies.week
  }

  /** The page at a URL, if it ever is one that may be fetched. */
  pageOf(url: number): number | undefined {
    return this.#copies.truth.pageOf(this.#crawl.state.frontier.urls.urlOf(url))
  }

  /** Quality that a fetch of the URL would gain at once. */
  gainOf(url: number): number {
    return this.gainOfPage(this.pageOf(url))
  }

  /** Quality that a fetch of the page would gain at once, known or not. */
  gainOfPage(page: number | undefined): number {
    const { answers } = this.#copies
    return page !== undefined && answers.isStale(page) ? Math.max(0, answers.trueGain(page)) : 0
  }

  /** The same by the queries that the crawler knows and the copies it holds: what it would measure itself. */
  measuredGainOf(url: number): number {
    const { answers } = this.#copies
    const page = this.pageOf(url)
    return page !== undefined && answers.isStale(page) ? Math.max(0, answers.measuredGain(page)) : 0
  }

  /** Days from the week in which a page became what it is now. */
  daysAsNow(page: number): number {
    const { days } = this.#copies.truth.pages
    let since = this.week
    while (since > 0 && this.#contentAt(page, since - 1) === this.#contentAt(page, this.week))
      since--
    return days[this.week] - days[since]
  }

  /** Days until the page will say something else, or be gone; to the end of the recording at most. */
  daysToNextChange(page: number): number {
    const now = this.#contentAt(page, this.week)
    return this.#daysUntil((week) => this.#contentAt(page, week) !== now)
  }

  /** Days until the page will be gone; to the end of the recording at most. */
  daysToDeath(page: number): number {
    return this.#daysUntil((week) => this.#contentAt(page, week) === NOTHING)
  }

  /** Calls `visit` for each live page that the URL links to now and that is not known, each once. */
  forEachWaiting(url: number, visit: (page: number) => void): void {
    const { truth } = this.#copies
    const { web } = this.#crawl
    const page = this.pageOf(url)
    const version =
      page === undefined
        ? undefined
        : liveVersion(web.archive, truth.pages.archivePages[page], this.week)
    if (version === undefined) return
    const seen = new Set<number>()
    web.forEachLinkUrl(version, (target) => {
      const found = truth.pageOf(target)
      if (found === undefined || seen.has(found) || !truth.isLive(found, this.week)) return
      if (!this.#crawl.knows(target)) visit(found)
      seen.add(found)
    })
  }

  #contentAt(page: number, week: number): number {
    return this.#copies.truth.contentAt(page, week)
  }

  #daysUntil(isSo: (week: number) => boolean): number {
    const { weeks, days } = this.#copies.truth.pages
    let next = this.week + 1
    while (next < weeks && !isSo(next)) next++
    return days[Math.min(next, weeks - 1)] - days[this.week] + (next === weeks ? 7 : 0)
  }
}
