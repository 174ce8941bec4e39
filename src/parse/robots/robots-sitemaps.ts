import { type Link, REL_HUB, REL_ROBOTS } from '../page/page.ts'
import { canonicalUrl } from '../url/canonical-url.ts'
import type { Robots } from './robots-txt.ts'

/**
 * The sitemaps that an origin's robots.txt names, as links, each once and in its order; the usual
 * place if it names none.
 */
export function robotsSitemaps({ sitemaps }: Robots, origin: string): Link[] {
  const urls = new Set<string>()
  for (const sitemap of sitemaps) {
    const url = canonicalUrl(sitemap, `${origin}/`)
    if (url !== undefined) urls.add(url)
  }
  if (urls.size === 0) return [{ url: `${origin}/sitemap.xml`, anchor: '', rel: REL_ROBOTS }]
  return Array.from(urls, (url) => ({ url, anchor: '', rel: REL_HUB | REL_ROBOTS }))
}
