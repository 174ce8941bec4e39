import type { Frontier } from '#frontier/frontier.ts'
import type { LinkRow } from '#frontier/links/link-store.ts'
import { renamedLinks } from '#frontier/links/renamed-links.ts'
import type { ScopeTest } from '#frontier/scope.ts'
import { NOBODY, type UrlSource } from '#frontier/urls/url-states.ts'
import {
  type Link,
  type ParsedPage,
  REL_FEED,
  REL_HUB,
  REL_NOFOLLOW,
  REL_ROBOTS,
  REL_SITEMAP,
} from '#parse/page/page.ts'
import type { LearntFetch } from '../entries/learnt-fetch.ts'
import type { FetchOutcome, PageOutcome } from '../entries/outcome.ts'

type LearntLinks = Pick<LearntFetch, 'newLinks' | 'renamed'>

/** A page has these links now; gives those it did not have before, and those that call their targets otherwise. */
export function replaceLinks(page: number, row: LinkRow, frontier: Frontier) {
  const renamed = renamedLinks(frontier.links.rowOf(page), row)
  return { added: frontier.replaceLinks(page, row), renamed }
}

/** Takes a page's links in place of those it had before, and the URLs they reveal. */
export function learnLinks(
  outcome: PageOutcome,
  frontier: Frontier,
  scope: ScopeTest,
): LearntLinks {
  const { id, page } = outcome
  const depth = frontier.discoveries.depthOf(id) + 1
  const links = page.nofollow ? [] : page.links
  const targets = new Uint32Array(links.length)
  const anchors = new Uint32Array(links.length)
  const rels = new Uint8Array(links.length)
  let followed = 0
  for (const link of links) {
    const target = targetOf(link, depth, outcome, frontier, scope)
    if (target === undefined) continue
    if (link.lastModified !== undefined) {
      frontier.claims.claim(target, link.lastModified)
      frontier.claims.noteHub(id, frontier.urls.hosts()[target])
    }
    targets[followed] = target
    anchors[followed] = frontier.links.anchors.add(link.anchor.toWellFormed())
    rels[followed++] = link.rel
  }
  const row = {
    targets: targets.subarray(0, followed),
    anchors: anchors.subarray(0, followed),
    rels: rels.subarray(0, followed),
  }
  const { added, renamed } = replaceLinks(id, row, frontier)
  if (
    page.refreshTo !== undefined &&
    !page.nofollow &&
    scope(page.refreshTo, depth - 1) === undefined
  )
    frontier.add(
      page.refreshTo,
      'redirect',
      depth - 1,
      outcome.at,
      frontier.discoveries.finderOf(id),
    )
  return { newLinks: added.length, renamed }
}

/** The number of the URL a link leads to, if it is followed. A known URL passed the scope once. */
function targetOf(
  link: Link,
  depth: number,
  { id, at, page }: PageOutcome,
  frontier: Frontier,
  scope: ScopeTest,
): number | undefined {
  if ((link.rel & REL_NOFOLLOW) !== 0) return undefined
  const known = frontier.urls.find(link.url)
  if (known !== undefined) return known
  if (scope(link.url, depth) !== undefined) return undefined
  return frontier.add(link.url, sourceOf(link, page.form), depth, at, id)
}

function sourceOf({ rel }: Link, form: ParsedPage['form']): UrlSource {
  if (rel & REL_SITEMAP) return 'sitemap'
  if (form === 'sitemap' && rel & REL_HUB) return 'sitemap-index'
  return rel & REL_FEED ? 'feed' : 'link'
}

/**
 * URLs that came beside pages (Link headers, sitemaps of robots.txt). Sitemaps may lie on other hosts than a
 * crawl otherwise keeps to (`read-as-sitemap-only.ts`). They are learnt at the end of a
 * cycle in the order of their names, since which answer carried them depends on the network.
 */
export function learnFound(
  outcomes: readonly FetchOutcome[],
  frontier: Frontier,
  scope: ScopeTest,
): void {
  const found = outcomes.flatMap(({ found = [], id, url, at }) => {
    const depth = frontier.discoveries.depthOf(id)
    // A sitemap that was let in from elsewhere has a robots.txt too: it cannot let in others.
    const isOurs = found.length > 0 && scope(url, depth) === undefined
    return found.map((link) => ({ ...link, at, finder: id, depth: depth + 1, isOurs }))
  })
  found.sort((a, b) =>
    a.url < b.url ? -1 : a.url > b.url ? 1 : a.depth - b.depth || b.rel - a.rel,
  )
  for (const { url, depth, at, rel, isOurs, finder } of found) {
    const isSitemap = (rel & REL_ROBOTS) !== 0
    if (scope(url, depth, isSitemap && isOurs) === undefined)
      frontier.add(url, sourceOfFound(rel), depth, at, isSitemap ? finder : NOBODY)
  }
}

function sourceOfFound(rel: number): UrlSource {
  if ((rel & REL_ROBOTS) === 0) return 'header'
  return rel & REL_HUB ? 'robots' : 'usual-place'
}
