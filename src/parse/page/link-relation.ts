import { REL_ALTERNATE, REL_HUB, REL_NOFOLLOW, REL_SPONSORED, REL_UGC } from './page.ts'

const FEED_TYPE = /^\s*application\/(?:rss\+xml|atom\+xml|rdf\+xml|feed\+json)\s*(?:;|$)/i

/** What is beyond this is no relation that anybody has a use for. */
const MAX_REL_CHARS = 200

/** The words of a `rel` attribute or parameter, lower case. */
export function relWords(rel: string): string[] {
  return rel
    .slice(0, MAX_REL_CHARS)
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((word) => word !== '')
}

/** The REL_ bits of a link in the text: whether it is a vote for its target. */
export function votingBits(rel: string): number {
  const words = relWords(rel)
  return (
    (words.includes('nofollow') ? REL_NOFOLLOW : 0) |
    (words.includes('ugc') ? REL_UGC : 0) |
    (words.includes('sponsored') ? REL_SPONSORED : 0)
  )
}

export interface DeclaredRelation {
  readonly rel: string
  readonly type?: string
  readonly hreflang?: string
}

/**
 * The REL_ bits of a `<link>` element or Link header that names a page worth knowing. Such pages
 * are other languages or forms of this one, feeds, sitemaps, the next or previous part.
 * Undefined for style sheets, icons and other things that are no pages.
 */
export function relatedLink({ rel, type, hreflang }: DeclaredRelation): number | undefined {
  const words = relWords(rel)
  if (words.includes('sitemap')) return REL_HUB
  if (words.includes('alternate') && !words.includes('stylesheet')) {
    if (type !== undefined && FEED_TYPE.test(type)) return REL_HUB
    if (hreflang !== undefined && hreflang.trim() !== '') return REL_ALTERNATE
  }
  if (words.includes('amphtml')) return REL_ALTERNATE
  if (words.includes('next') || words.includes('prev') || words.includes('previous')) return 0
  return undefined
}
