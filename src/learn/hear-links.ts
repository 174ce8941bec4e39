import { linksFromOthers } from '#frontier/links-from-others.ts'
import type { UrlSource } from '#frontier/urls/url-states.ts'
import { REL_UNVOTED } from '#parse/page/page.ts'
import type { Knowledge } from './knowledge.ts'

/** A URL that was found in another bucket. */
interface FoundElsewhere {
  readonly url: string
  readonly source: UrlSource
  readonly depth: number
}

/** A page of another bucket, and all its links to URLs of this one: they replace those it had before. */
export interface PageElsewhere {
  readonly url: string
  readonly depth: number
  /** When it was fetched: of two lists the later one counts, in whatever order they come. */
  readonly at: number
  /** The PageRank that each of its links brings. */
  readonly share: number
  /** And what each of those brought that it had before. */
  readonly shareBefore: number
  readonly links: readonly (FoundElsewhere & { readonly anchor: string; readonly rel: number })[]
}

/** What other buckets tell. */
export interface LinkedEntry {
  readonly kind: 'linked'
  readonly at: number
  readonly pages: readonly PageElsewhere[]
  /** URLs that no page links to, as those of sitemaps in robots.txt. */
  readonly found: readonly FoundElsewhere[]
}

/** A list of links as it was taken in, for whoever keeps it. */
export interface TakenLinks {
  readonly page: number
  readonly at: number
  readonly share: number
  /** What it linked to before, as PageRank counts that, and what each of these links brought. */
  readonly before: readonly number[]
  readonly shareBefore: number
}

/** Takes in what other buckets tell of URLs of this one; gives the pages whose links are others now. */
export function hearLinks({ pages, found, at }: LinkedEntry, known: Knowledge): TakenLinks[] {
  const { frontier, indexer } = known
  const add = ({ url, source, depth }: FoundElsewhere, finder?: number) =>
    // A seed is one where it is crawled.
    frontier.add(url, source === 'seed' ? 'link' : source, depth, at, finder)
  for (const one of found) add(one)
  const taken = pages.flatMap(({ url, depth, at, share, shareBefore, links }) => {
    const page = frontier.add(url, 'link', depth, at)
    if (!frontier.foreign.takesNews(page, at)) return []
    const before = votesOf(page, frontier)
    const targets = Uint32Array.from(links, (link) => add(link, page))
    const anchors = Uint32Array.from(links, ({ anchor }) => frontier.links.anchors.add(anchor))
    frontier.replaceLinks(page, { targets, anchors, rels: Uint8Array.from(links, (l) => l.rel) })
    return [{ page, at, share, before, shareBefore }]
  })
  // What links call a page is part of its text.
  const renamed = taken.flatMap(({ page }) => [...frontier.links.targetsOf(page)])
  indexer?.rename(renamed, frontier)
  // Who links to pages just fetched is known only now.
  known.learnt = known.learnt.map((fetch) => ({
    ...fetch,
    inLinks: linksFromOthers(fetch.outcome.id, frontier),
  }))
  return taken
}

/** What a page links to, each once, but for what it does not vouch for. */
function votesOf(page: number, { links }: Knowledge['frontier']): number[] {
  const { targets, rels } = links.rowOf(page)
  const votes = targets.filter((target, i) => (rels[i] & REL_UNVOTED) === 0 && target !== page)
  return [...new Set(votes)]
}
