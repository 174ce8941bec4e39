import type { Frontier } from './frontier.ts'

/** Other pages that link to a URL now: that a page links to itself, as most do, tells nothing of it. */
export function linksFromOthers(url: number, frontier: Frontier): number {
  const pages = frontier.inLinksOf(url)
  return pages > 0 && frontier.links.has(url, url) ? pages - 1 : pages
}
