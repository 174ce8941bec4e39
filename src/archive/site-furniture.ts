import type { RecordedWeb } from './recorded-web.ts'
import { replaySitemap } from './replay-sitemap.ts'

/** What a site has besides its pages, as it goes over the wire. */
export interface Furniture {
  readonly contentType: string
  readonly body: string
}

/**
 * The robots.txt or sitemap at a URL, if the recorded web has its host and the path is one of
 * theirs. One function for the replay over HTTP and the lab's own fetcher, so that both see the same.
 */
export function siteFurniture(
  web: RecordedWeb,
  { origin, host, pathname }: URL,
): Furniture | undefined {
  if (pathname === '/robots.txt') {
    const robots = replayRobots(web, origin, host)
    return robots === undefined
      ? undefined
      : { contentType: 'text/plain; charset=utf-8', body: robots }
  }
  if (web.sitemaps === 'none' || !web.hasHost(host)) return undefined
  const sitemap = replaySitemap(web, origin, host, pathname)
  return sitemap === undefined ? undefined : { contentType: 'application/xml', body: sitemap }
}

/**
 * A host's robots.txt: the recorded one, with the sitemap it has here in place of those it had when
 * it was recorded. Undefined for a host the recording does not know.
 */
export function replayRobots(web: RecordedWeb, origin: string, host: string): string | undefined {
  if (!web.hasHost(host)) return undefined
  const recorded = web.robotsFor(host) ?? 'User-agent: *\nDisallow:\n'
  const rules = recorded.replace(/^[^\S\n]*sitemap[^\S\n]*:.*$\n?/gim, '').trimEnd()
  return web.sitemaps === 'none' ? `${rules}\n` : `${rules}\n\nSitemap: ${origin}/sitemap.xml\n`
}
