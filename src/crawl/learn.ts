import type { Frontier } from '#frontier/frontier.ts'
import type { LinkRow } from '#frontier/link-store.ts'
import type { Link } from '#parse/page.ts'
import { REL_NOFOLLOW } from '#parse/page.ts'
import type { FetchOutcome, PageOutcome } from './outcome.ts'

/** A first retry waits this long; each further one four times as long. */
const FIRST_RETRY_SECONDS = 300

const NO_LINKS: LinkRow = {
  targets: new Uint32Array(0),
  anchors: new Uint32Array(0),
  rels: new Uint8Array(0),
}

/** What one fetch taught, as the fetch log keeps it. */
export interface Learnt {
  readonly outcome: FetchOutcome
  /** The content, or that there is none any more, is news to us. */
  readonly changed: boolean
  /** URLs that nobody had mentioned before. */
  readonly newUrls: number
}

/** Takes one outcome into the frontier: the URL's state, its links, and the URLs they reveal. */
export function learnFrom(
  outcome: FetchOutcome,
  frontier: Frontier,
  inScope: (url: string) => boolean,
): Learnt {
  const { id, at } = outcome
  const knownBefore = frontier.size
  let changed = false
  switch (outcome.kind) {
    case 'page':
      changed = frontier.isNewContent(id, outcome.contentHash)
      if (changed) learnLinks(outcome, frontier, inScope)
      frontier.visit(id, { state: 'page', at, contentHash: outcome.contentHash })
      break
    case 'redirect':
      changed = true
      learnRedirect(id, outcome.target, at, frontier, inScope)
      frontier.visit(id, { state: 'redirect', at })
      break
    case 'failed': {
      const retryAt = at + FIRST_RETRY_SECONDS * 4 ** frontier.failuresOf(id)
      frontier.visit(id, { state: 'failed', at, retryAt })
      break
    }
    case 'gone':
      changed = frontier.links.rowOf(id).targets.length > 0
      if (changed) frontier.links.replace(id, NO_LINKS)
      frontier.visit(id, { state: 'gone', at })
      break
    case 'unreadable':
    case 'denied':
    case 'disallowed':
      frontier.visit(id, { state: outcome.kind, at })
  }
  return { outcome, changed, newUrls: frontier.size - knownBefore }
}

function learnLinks(
  outcome: PageOutcome,
  frontier: Frontier,
  inScope: (url: string) => boolean,
): void {
  const { id, at, page } = outcome
  const followed = page.nofollow ? [] : page.links.filter((link) => isFollowed(link, inScope))
  const depth = frontier.depthOf(id) + 1
  frontier.links.replace(id, {
    targets: Uint32Array.from(followed, (link) => frontier.add(link.url, 'link', depth, at)),
    anchors: Uint32Array.from(followed, (link) => frontier.links.anchors.add(link.anchor)),
    rels: Uint8Array.from(followed, (link) => link.rel),
  })
}

function isFollowed(link: Link, inScope: (url: string) => boolean): boolean {
  return (link.rel & REL_NOFOLLOW) === 0 && inScope(link.url)
}

/** A redirect is a page with exactly one out-link; its target is no deeper than itself. */
function learnRedirect(
  id: number,
  target: string,
  at: number,
  frontier: Frontier,
  inScope: (url: string) => boolean,
): void {
  if (!inScope(target)) {
    frontier.links.replace(id, NO_LINKS)
    return
  }
  const number = frontier.add(target, 'redirect', frontier.depthOf(id), at)
  frontier.links.replace(id, {
    targets: Uint32Array.of(number),
    anchors: Uint32Array.of(frontier.links.anchors.add('')),
    rels: Uint8Array.of(0),
  })
}
