import type { Frontier } from '#frontier/frontier.ts'
import { PATTERN_COUNT } from '#frontier/urls/patterns.ts'
import { GrowingColumn } from '#numeric/grow.ts'
import type { ParsedPage } from '#parse/page/page.ts'
import {
  doublings,
  FORMS,
  isInMenus,
  type PageKind,
  stepsOf,
  yieldGroups,
} from './yields/yield-groups.ts'

/** Sites of 16,000 pages, and pages with 32,000 links to them, do not come into other groups as they grow. */
const MOST_LEVEL = 15

/** What may change about a page while its address stays. */
type ChangingKind = Omit<PageKind, 'steps' | 'pattern'>

/**
 * The cohorts of pages by which new links are predicted. They change as it becomes known how much a page is
 * linked to, and how large its site is.
 */
export class PageCohorts {
  readonly #forms = new GrowingColumn(Uint8Array)
  /** By URL: of how many links to it, and of which size of its site its groups tell. */
  readonly #levels = new GrowingColumn(Uint8Array)
  /** Pages ever held, counted here, so that a log that is replayed counts as the crawl did. */
  readonly #pagesOfSite = new GrowingColumn(Uint32Array)
  /** URLs of one pattern have as many steps: 0 for a pattern not met yet. */
  readonly #stepsOfPattern = new Uint8Array(PATTERN_COUNT)

  /** The groups of a page that was just fetched for the first time. */
  begin(
    { url, form, inLinks }: { url: number; form: ParsedPage['form']; inLinks: number },
    frontier: Frontier,
  ): Uint32Array {
    this.#forms.lengthen(url + 1)
    this.#pagesOfSite.add(frontier.urls.hostNumberOf(url), 1)
    // A sitemap stays one, also when a later answer does not say what it is.
    if (form !== 'page') this.#forms.set(url, FORMS.indexOf(form))
    const kind = this.#kindOf(url, inLinks, frontier)
    this.#levels.put(url, levelsOf(kind))
    return this.#groupsOf(url, kind, frontier)
  }

  /** The groups of a page that has as many links to it now, if they are others than before. */
  renewed(url: number, inLinks: number, frontier: Frontier): Uint32Array | undefined {
    const kind = this.#kindOf(url, inLinks, frontier)
    const levels = levelsOf(kind)
    if (this.#levels.at(url) === levels) return undefined
    this.#levels.set(url, levels)
    return this.#groupsOf(url, kind, frontier)
  }

  #kindOf(url: number, links: number, frontier: Frontier): ChangingKind {
    const site = frontier.urls.hostNumberOf(url)
    const sitePages = this.#pagesOfSite.at(site)
    const form = FORMS[this.#forms.at(url)]
    return { form, site, depth: frontier.discoveries.depthOf(url), links, sitePages }
  }

  #groupsOf(url: number, kind: ChangingKind, frontier: Frontier): Uint32Array {
    const pattern = frontier.patterns.numberOf(url)
    if (this.#stepsOfPattern[pattern] === 0)
      this.#stepsOfPattern[pattern] = Math.min(stepsOf(frontier.urls.urlOf(url)), 0xff)
    return yieldGroups({ ...kind, steps: this.#stepsOfPattern[pattern], pattern })
  }
}

/** Groups are others when this is: the size of a site matters to its menus only. A byte for each, as there are many. */
function levelsOf(kind: ChangingKind): number {
  const isCentral = kind.form !== 'page' || isInMenus(kind)
  const size = isCentral ? Math.min(MOST_LEVEL, 1 + doublings(kind.sitePages)) : 0
  return (MOST_LEVEL + 1) * Math.min(MOST_LEVEL, doublings(kind.links)) + size
}
