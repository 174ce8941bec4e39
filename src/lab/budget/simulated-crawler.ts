import { Frontier } from '#frontier/frontier.ts'
import type { LinkRow } from '#frontier/links/link-store.ts'
import { linksFromOthers } from '#frontier/links-from-others.ts'
import { NOBODY } from '#frontier/urls/url-states.ts'
import type { ObservedFetch } from '#learn/histories.ts'
import { foundByOthers } from '#learn/pages/learn-links.ts'
import { HeldAnswers } from '../refresh/held-answers.ts'
import type { QueryShares } from './query-shares.ts'
import type { BudgetWorld } from './world.ts'

export const NEVER = -1
const NO_LINKS: LinkRow = {
  targets: new Uint32Array(0),
  anchors: new Uint32Array(0),
  rels: new Uint8Array(0),
}

/**
 * A crawler of a recorded world: it holds and knows what its own fetches showed, in the frontier of a live
 * crawl, and is told what its copies are worth by the queries it knows. Pages gone, and those that redirect, take
 * their copies with them. URLs are numbers of its frontier, pages those of the world.
 */
export class SimulatedCrawler {
  readonly world: BudgetWorld
  readonly held: HeldAnswers
  readonly frontier = new Frontier()
  /** By page: its URL, the week it came to be known and was first held; NEVER if not yet. */
  readonly urlOf: Int32Array
  readonly knownAt: Int32Array
  readonly heldAt: Int32Array
  /** By URL. */
  readonly pageOf: number[] = []
  /** By anchor text of the world: its number in the frontier, or NEVER. */
  readonly #anchorOf: Int32Array

  /** Knows the seeds and holds nothing. */
  constructor(world: BudgetWorld, { seen, judging }: QueryShares) {
    const pageCount = world.pages.archivePages.length
    this.world = world
    this.urlOf = new Int32Array(pageCount).fill(NEVER)
    this.knownAt = new Int32Array(pageCount).fill(NEVER)
    this.heldAt = new Int32Array(pageCount).fill(NEVER)
    this.#anchorOf = new Int32Array(world.links.anchorTexts.length).fill(NEVER)
    const total = seen.reduce((sum, weight) => sum + weight, 0)
    const known = { ...world.answers, shares: seen.map((weight) => weight / total) }
    this.held = HeldAnswers.at(world.pages, known, 0, { isHeld: () => false, judging })
    for (const seed of world.seeds) this.#know(seed, NOBODY, 0)
  }

  /** Lets the world turn to the next week. */
  turnTo(week: number): void {
    const { changedPages, contents, weeks } = this.world.pages
    for (const page of changedPages[week]) this.held.change(page, contents[page * weeks + week])
  }

  /** Seconds since 1970, as the frontier counts time. */
  timeOf(week: number): number {
    return this.world.archive.timeOf(week)
  }

  /** Fetches a page of the world, whether or not anybody told of it. */
  visitPage(page: number, week: number): ObservedFetch {
    return this.visit(this.#know(page, NOBODY, week), week)
  }

  /** Fetches a URL, takes what it brings, and gives what that tells. */
  visit(url: number, week: number): ObservedFetch {
    const { held, frontier } = this
    const page = this.pageOf[url]
    const contentChanged = held.isStale(page)
    const views = Math.max(0, held.clicks[page])
    const gain = contentChanged ? Math.max(0, held.refresh(page)) : 0
    const inLinks = linksFromOthers(url, frontier)
    const knownBefore = frontier.size
    const at = this.timeOf(week)
    const version = this.world.versionAt(page, week)
    const kind = version === undefined ? this.#goneOrMoved(url, week) : 'page'
    const added = version === undefined ? undefined : this.#takeLinks(url, version, week)
    const others = added ? foundByOthers(url, added, frontier) : { foundBefore: 0, rival: NOBODY }
    frontier.visit(url, { state: kind, at })
    if (kind === 'page' && this.heldAt[page] === NEVER) this.heldAt[page] = week
    const newUrls = frontier.size - knownBefore
    const told = { contentChanged, newUrls, inLinks, gain, views, ...others }
    return { url, at, kind, form: 'page', ...told }
  }

  #archivePage(page: number): number {
    return this.world.pages.archivePages[page]
  }

  /** The links of a page as it is now take the place of those it had; gives those it did not have. */
  #takeLinks(url: number, version: number, week: number): Uint32Array {
    const { archive, links } = this.world
    const targets: number[] = []
    const anchors: number[] = []
    archive.forEachLink(version, (link) => {
      if (links.pages[link] < 0) return
      targets.push(this.#know(links.pages[link], url, week))
      anchors.push(this.#anchorNumber(links.anchors[link]))
    })
    return this.frontier.replaceLinks(url, {
      targets: Uint32Array.from(targets),
      anchors: Uint32Array.from(anchors),
      rels: new Uint8Array(targets.length),
    })
  }

  /** A redirect has no content, but tells of a URL. */
  #goneOrMoved(url: number, week: number): 'gone' | 'redirect' {
    const { archive, links } = this.world
    this.frontier.replaceLinks(url, NO_LINKS)
    const version = archive.versionAt(this.#archivePage(this.pageOf[url]), week)
    if (version === undefined) return 'gone'
    const target = archive.pageOfUrl(archive.redirectOf(version)!)
    if (target !== undefined && links.pageOf[target] >= 0)
      this.#know(links.pageOf[target], this.frontier.discoveries.finderOf(url), week)
    return 'redirect'
  }

  #know(page: number, finder: number, week: number): number {
    if (this.urlOf[page] >= 0) return this.urlOf[page]
    const { frontier } = this
    const depth = finder === NOBODY ? 0 : frontier.discoveries.depthOf(finder) + 1
    const address = this.world.archive.urlOf(this.#archivePage(page))
    const source = finder === NOBODY ? 'seed' : 'link'
    const url = frontier.add(address, source, depth, this.timeOf(week), finder)
    this.urlOf[page] = url
    this.knownAt[page] = week
    this.pageOf[url] = page
    return url
  }

  #anchorNumber(anchor: number): number {
    if (this.#anchorOf[anchor] === NEVER)
      this.#anchorOf[anchor] = this.frontier.links.anchors.add(this.world.links.anchorTexts[anchor])
    return this.#anchorOf[anchor]
  }
}
