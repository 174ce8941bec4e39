import { GrowingColumn } from '#numeric/grow.ts'
import { REL_HUB } from '#parse/page/page.ts'
import type { LinkRow } from '../links/link-store.ts'
import type { UrlSource } from './url-states.ts'

/** Who names a sitemap or feed: robots.txt, a sitemap index, or pages; in the order in which they are read. */
export const LIST_NAMERS = ['robots.txt', 'index', 'pages'] as const
export type ListNamer = (typeof LIST_NAMERS)[number]

/** Which URLs are sitemaps and feeds by what their sites say. All of it follows from sources and links. */
export class NamedLists {
  /** By URL: the place of who names it in LIST_NAMERS, plus 1; 0 if nobody calls it a list. */
  readonly #namers = new GrowingColumn(Uint8Array)

  /** Takes up the next URL by how it was found. */
  begin(source: UrlSource): void {
    this.#namers.push(source === 'robots' ? 1 : source === 'sitemap-index' ? 2 : 0)
  }

  /** Takes in the links of a page; those of a list are marked, so its only plain link is a redirect to its new address. */
  noteLinks(page: number, { targets, rels }: LinkRow): void {
    for (let link = 0; link < targets.length; link++)
      if ((rels[link] & REL_HUB) !== 0) this.#mark(targets[link], 3)
    const namer = this.#namers.at(page)
    if (namer > 0 && targets.length === 1 && rels[0] === 0) this.#mark(targets[0], namer)
  }

  /** Who names the URL as a list, if anybody does. */
  namerOf(url: number): ListNamer | undefined {
    return LIST_NAMERS[this.#namers.at(url) - 1]
  }

  /** The URLs that are lists, ascending. */
  *urls(): Generator<number> {
    const namers = this.#namers.view()
    for (let url = 0; url < namers.length; url++) if (namers[url] > 0) yield url
  }

  #mark(url: number, namer: number): void {
    const before = this.#namers.at(url)
    if (before === 0 || namer < before) this.#namers.set(url, namer)
  }
}
