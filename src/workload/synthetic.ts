import { tokenize } from '#parse/text/tokens.ts'
import { normalQuery } from './normal-query.ts'
import type { StoredQuery } from './workload.ts'

/** A page that is held: what it calls itself, and how many links lead to it. */
export interface KnownTitle {
  readonly title: string
  readonly inLinks: number
}

/** What links say, how many of them, and to how many different pages. */
export interface KnownAnchor {
  readonly text: string
  readonly links: number
  readonly pages: number
}

const DEFAULT_LIMIT = 1000
/** People ask with few words; a title's first ones say most. */
const MAX_WORDS = 6
/** A part that this share of all titles has is the site's name. */
const FURNITURE_SHARE = 0.1
/** An anchor text with more targets describes the link ("more"), not its target. */
const MAX_PAGES_OF_ANCHOR = 3
const TITLE_PARTS = /\s+[|–—·»:-]+\s+/u
const SAYS_NOTHING =
  /^(?:(?:click )?here|(?:read |learn |show |see )?more|next|prev(?:ious)?|back|home|top|edit|link|login|log in|sign (?:in|up)|search|skip to (?:main )?content|menu|close|details|download|share|print|permalink|\W*|[\d\s.,:/-]*)$/u

/**
 * Synthetic queries from titles and anchor texts, for a crawl without a query log; weighted by
 * links. Each is marked as synthetic.
 */
export function syntheticWorkload(
  titles: readonly KnownTitle[],
  anchors: readonly KnownAnchor[],
  limit = DEFAULT_LIMIT,
): StoredQuery[] {
  const weights = new Map<string, number>()
  const add = (text: string, weight: number) => {
    const query = asQuery(text)
    if (query !== undefined) weights.set(query, (weights.get(query) ?? 0) + weight)
  }
  const furniture = repeatedParts(titles)
  for (const { title, inLinks } of titles) add(tellingPart(title, furniture), 1 + inLinks)
  for (const { text, links, pages } of anchors) if (pages <= MAX_PAGES_OF_ANCHOR) add(text, links)
  return [...weights]
    .sort(([a, weightOfA], [b, weightOfB]) => weightOfB - weightOfA || (a < b ? -1 : 1))
    .slice(0, limit)
    .map(([text, weight], i) => ({
      id: `synthetic-${i + 1}`,
      text,
      weight,
      source: 'synthetic',
      synthetic: true,
    }))
}

function asQuery(text: string): string | undefined {
  const normal = normalQuery(text).text
  if (normal === undefined || SAYS_NOTHING.test(normal)) return undefined
  const words = tokenize(normal).slice(0, MAX_WORDS)
  const query = words.join(' ')
  return query.length < 2 || SAYS_NOTHING.test(query) ? undefined : query
}

/** Parts that many titles share, such as the name of the site. */
function repeatedParts(titles: readonly KnownTitle[]): ReadonlySet<string> {
  const counts = new Map<string, number>()
  for (const { title } of titles)
    for (const part of new Set(title.split(TITLE_PARTS)))
      counts.set(part, (counts.get(part) ?? 0) + 1)
  const most = Math.max(2, titles.length * FURNITURE_SHARE)
  return new Set([...counts].filter(([, count]) => count > most).map(([part]) => part))
}

function tellingPart(title: string, furniture: ReadonlySet<string>): string {
  const parts = title.split(TITLE_PARTS)
  return parts.filter((part) => !furniture.has(part))[0] ?? parts[0]
}
