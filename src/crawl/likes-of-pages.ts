import type { Frontier } from '#frontier/frontier.ts'
import { GrowingColumn } from '#numeric/grow.ts'
import type { ParsedPage } from '#parse/page.ts'
import { doublings, stepsOf, yieldGroups } from '#policy/discover/yield-groups.ts'

const FORMS: readonly ParsedPage['form'][] = ['page', 'sitemap', 'feed']
/** Patterns are numbered below this. */
const PATTERNS = 1 << 20

/**
 * Which pages are a page's likes, when new links are to be expected of it: they change as it becomes known
 * how much it is linked to, and how large its site is.
 */
export class LikesOfPages {
  readonly #forms = new GrowingColumn(Uint8Array)
  readonly #linkLevels = new GrowingColumn(Uint8Array)
  /** Of the page's site, as it was when the groups were last told. */
  readonly #sizeLevels = new GrowingColumn(Uint8Array)
  /** Counted here, so that a log that is replayed counts as the crawl did. */
  readonly #pagesOfSite = new GrowingColumn(Uint32Array)
  /** URLs of one pattern have as many steps: 0 for a pattern not met yet. */
  readonly #stepsOfPattern = new Uint8Array(PATTERNS)

  /** The groups of a page that was just fetched for the first time. */
  begin(
    { url, form, inLinks }: { url: number; form: ParsedPage['form']; inLinks: number },
    frontier: Frontier,
  ): Uint32Array {
    while (this.#forms.length <= url) {
      this.#forms.push(0)
      this.#linkLevels.push(0)
      this.#sizeLevels.push(0)
    }
    const site = frontier.urls.hosts()[url]
    while (this.#pagesOfSite.length <= site) this.#pagesOfSite.push(0)
    this.#pagesOfSite.set(site, this.#pagesOfSite.at(site) + 1)
    // A sitemap stays one, also when a later answer does not say what it is.
    if (form !== 'page') this.#forms.set(url, FORMS.indexOf(form))
    this.#linkLevels.set(url, doublings(inLinks))
    this.#sizeLevels.set(url, doublings(this.#pagesOfSite.at(site)))
    return this.#groupsOf(url, inLinks, frontier)
  }

  /** The groups of a page that has as many links to it now, if they are others than before. */
  renewed(url: number, inLinks: number, frontier: Frontier): Uint32Array | undefined {
    const level = doublings(inLinks)
    const size = doublings(this.#pagesOfSite.at(frontier.urls.hosts()[url]))
    if (this.#linkLevels.at(url) === level && this.#sizeLevels.at(url) === size) return undefined
    this.#linkLevels.set(url, level)
    this.#sizeLevels.set(url, size)
    return this.#groupsOf(url, inLinks, frontier)
  }

  #groupsOf(url: number, links: number, frontier: Frontier): Uint32Array {
    const pattern = frontier.patterns.numberOf(url)
    if (this.#stepsOfPattern[pattern] === 0)
      this.#stepsOfPattern[pattern] = Math.min(stepsOf(frontier.urls.urlOf(url)), 0xff)
    return yieldGroups({
      form: FORMS[this.#forms.at(url)],
      site: frontier.urls.hosts()[url],
      depth: frontier.depthOf(url),
      links,
      sitePages: this.#pagesOfSite.at(frontier.urls.hosts()[url]),
      steps: this.#stepsOfPattern[pattern],
      pattern,
    })
  }
}
