import { ChangeHistory } from '#frontier/change-history.ts'
import { Frontier } from '#frontier/frontier.ts'
import { GainHistory } from '#frontier/gain-history.ts'
import type { LinkRow } from '#frontier/link-store.ts'
import { YieldBook } from '#policy/discover/yield-book.ts'
import { stepsOf, yieldGroups } from '#policy/discover/yield-groups.ts'
import { HeldAnswers } from '../refresh/held-answers.ts'
import { liveVersion } from '../refresh/weekly-pages.ts'
import type { QueryShares } from './query-shares.ts'
import type { BudgetWorld } from './world.ts'

export const NEVER = -1
const NO_LINKS: LinkRow = {
  targets: new Uint32Array(0),
  anchors: new Uint32Array(0),
  rels: new Uint8Array(0),
}

/** What a fetch came to, as the crawler saw it. */
export interface SimulatedFetch {
  readonly url: number
  readonly isFirst: boolean
  readonly isGone: boolean
  /** Of a page fetched before: whether it differs from the copy. */
  readonly changed: boolean
  /** Quality gained, by the queries the crawler knows and the copies it holds. */
  readonly gain: number
  /** Days since the fetch before; 0 for a first one. */
  readonly days: number
  /** URLs that no page had led to before. */
  readonly found: readonly number[]
}

/**
 * A crawler of a recorded world: it holds and knows what its own fetches showed, in the structures of a
 * live crawl, and is told what its copies are worth by the queries it knows. Pages gone and redirects take
 * their copies with them. URLs are numbers of its frontier, pages those of the world.
 */
export class SimulatedCrawler {
  readonly world: BudgetWorld
  readonly held: HeldAnswers
  readonly frontier = new Frontier()
  readonly history = new ChangeHistory()
  readonly gains = new GainHistory()
  readonly yields = new YieldBook()
  /** By page: its URL, the week it came to be known and was first held; NEVER if not yet. */
  readonly urlOf: Int32Array
  readonly knownAt: Int32Array
  readonly heldAt: Int32Array
  /** By URL. */
  readonly pageOf: number[] = []
  /** By URL: whose fetch revealed it, or NEVER; pages that link to it; the week of its last fetch. */
  readonly finderOf: number[] = []
  readonly #inLinks: number[] = []
  readonly #lastWeek: number[] = []
  readonly #classes: number[] = []
  /** By URL pattern. */
  readonly #classNumbers = new Map<number, number>()
  /** By anchor text of the world: its number in the frontier, or NEVER. */
  readonly #anchorOf: Int32Array

  /** Has fetched the starting pages in week 0. */
  constructor(world: BudgetWorld, shares: QueryShares, startingPages: readonly number[]) {
    const pageCount = world.pages.archivePages.length
    this.world = world
    this.urlOf = new Int32Array(pageCount).fill(NEVER)
    this.knownAt = new Int32Array(pageCount).fill(NEVER)
    this.heldAt = new Int32Array(pageCount).fill(NEVER)
    this.#anchorOf = new Int32Array(world.links.anchorTexts.length).fill(NEVER)
    const isHeld = new Uint8Array(pageCount)
    for (const page of startingPages) isHeld[page] = 1
    const total = shares.seen.reduce((sum, weight) => sum + weight, 0)
    const known = { ...world.answers, shares: shares.seen.map((weight) => weight / total) }
    this.held = HeldAnswers.at(world.pages, known, 0, {
      isHeld: (page) => isHeld[page] === 1,
      judging: shares.judging,
    })
    for (const seed of world.seeds) this.#know(seed, NEVER, 0)
    for (const page of startingPages) {
      const url = this.#know(page, NEVER, 0)
      this.#visit(url, 0, 'page')
      this.heldAt[page] = 0
      this.#takeLinks(url, 0)
    }
    // What links to a page is known only now, and says which pages are its likes.
    for (const page of startingPages) this.#beginYield(this.urlOf[page], 0)
  }

  /** Lets the world turn to another week. */
  turnTo(week: number): void {
    const { changedPages, contents, weeks } = this.world.pages
    for (const page of changedPages[week]) this.held.change(page, contents[page * weeks + week])
  }

  /** Seconds since 1970, as the frontier counts time. */
  timeOf(week: number): number {
    return this.world.archive.timeOf(week)
  }

  /** The number of a URL's class, from 0: pages of one class are expected to behave alike. */
  classOf(url: number): number {
    return this.#classes[url]
  }

  lastWeekOf(url: number): number {
    return this.#lastWeek[url]
  }

  /** Fetches a URL that is known, and learns. */
  fetch(url: number, week: number): SimulatedFetch {
    const page = this.pageOf[url]
    const isFirst = this.#lastWeek[url] === NEVER
    const isGone = !this.held.isLive(page)
    const changed = this.held.isStale(page)
    const clicks = Math.max(0, this.held.clicks[page])
    const { days } = this.world.pages
    const age = isFirst ? 0 : days[week] - days[this.#lastWeek[url]]
    const gain = changed ? Math.max(0, this.held.refresh(page)) : 0
    if (!isFirst) {
      this.history.observe(url, age, changed)
      const classNumber = this.classOf(url)
      this.gains.observe(url, { days: age, changed, gain, clicks, classNumber })
    }
    const fetched = { url, isFirst, isGone, changed, gain, days: age }
    const lastWeek = this.#lastWeek[url]
    this.#visit(url, week, isGone ? 'gone' : 'page')
    if (isGone) {
      this.frontier.links.replace(url, NO_LINKS)
      this.yields.remove(url)
      return { ...fetched, found: this.#takeRedirect(url, week) }
    }
    if (isFirst) this.heldAt[page] = week
    const foundBefore = isFirst ? undefined : this.#foundBefore(url, week, lastWeek)
    const found = this.#takeLinks(url, week)
    if (foundBefore === undefined || !this.yields.holds(url)) this.#beginYield(url, week)
    else this.yields.record({ page: url, time: days[week], novel: found.length, foundBefore })
    return { ...fetched, found }
  }

  #visit(url: number, week: number, state: 'page' | 'gone'): void {
    this.frontier.visit(url, { state, at: this.timeOf(week) })
    this.#lastWeek[url] = week
  }

  /** Pages it links to that others led to since its last fetch, for each of these others. */
  #foundBefore(url: number, week: number, lastWeek: number): Map<number, number> {
    const found = new Map<number, number>()
    const seen = new Set<number>()
    this.#forEachLink(url, week, (page) => {
      const target = this.urlOf[page]
      if (target < 0 || this.knownAt[page] <= lastWeek || seen.has(page)) return
      seen.add(page)
      const finder = this.finderOf[target]
      if (finder >= 0 && finder !== url) found.set(finder, (found.get(finder) ?? 0) + 1)
    })
    return found
  }

  #forEachLink(url: number, week: number, visit: (page: number, link: number) => void): void {
    const { archive, pages, links } = this.world
    const version = liveVersion(archive, pages.archivePages[this.pageOf[url]], week)
    if (version === undefined) return
    archive.forEachLink(version, (link) => {
      if (links.pages[link] >= 0) visit(links.pages[link], link)
    })
  }

  /** The links of a page as it is now take the place of those it had; gives the URLs found. */
  #takeLinks(url: number, week: number): number[] {
    const before = new Set(this.frontier.links.rowOf(url).targets)
    const targets: number[] = []
    const anchors: number[] = []
    const found: number[] = []
    this.#forEachLink(url, week, (page, link) => {
      if (this.urlOf[page] < 0) found.push(this.#know(page, url, week))
      targets.push(this.urlOf[page])
      anchors.push(this.#anchorNumber(this.world.links.anchors[link]))
    })
    for (const target of new Set(targets)) if (!before.has(target)) this.#inLinks[target]++
    this.frontier.links.replace(url, {
      targets: Uint32Array.from(targets),
      anchors: Uint32Array.from(anchors),
      rels: new Uint8Array(targets.length),
    })
    return found
  }

  /** A redirect has no content, but tells of a URL. */
  #takeRedirect(url: number, week: number): number[] {
    const { archive, pages, links } = this.world
    const version = archive.versionAt(pages.archivePages[this.pageOf[url]], week)
    const target = version === undefined ? undefined : archive.redirectOf(version)
    const archivePage = target === undefined ? undefined : archive.pageOfUrl(target)
    const page = archivePage === undefined ? NEVER : links.pageOf[archivePage]
    return page < 0 || this.urlOf[page] >= 0 ? [] : [this.#know(page, url, week)]
  }

  #know(page: number, finder: number, week: number): number {
    if (this.urlOf[page] >= 0) return this.urlOf[page]
    const { archive, pages } = this.world
    const depth = finder < 0 ? 0 : this.frontier.depthOf(finder) + 1
    const address = archive.urlOf(pages.archivePages[page])
    const source = finder < 0 ? 'seed' : 'link'
    const url = this.frontier.add(address, source, depth, this.timeOf(week))
    this.urlOf[page] = url
    this.knownAt[page] = week
    this.pageOf[url] = page
    this.finderOf[url] = finder
    this.#inLinks[url] = 0
    this.#lastWeek[url] = NEVER
    const pattern = this.frontier.patterns.numberOf(url)
    this.#classes[url] = this.#classNumbers.get(pattern) ?? this.#classNumbers.size
    this.#classNumbers.set(pattern, this.#classes[url])
    return url
  }

  #anchorNumber(anchor: number): number {
    if (this.#anchorOf[anchor] < 0)
      this.#anchorOf[anchor] = this.frontier.links.anchors.add(this.world.links.anchorTexts[anchor])
    return this.#anchorOf[anchor]
  }

  #beginYield(url: number, week: number): void {
    const groups = yieldGroups({
      form: 'page',
      site: this.frontier.urls.domains()[url],
      depth: this.frontier.depthOf(url),
      links: this.#inLinks[url],
      steps: stepsOf(this.frontier.urls.urlOf(url)),
      pattern: this.classOf(url),
    })
    this.yields.add(url, this.world.pages.days[week], groups)
  }
}
