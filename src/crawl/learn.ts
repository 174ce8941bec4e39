import type { Frontier } from '#frontier/frontier.ts'
import type { LinkRow } from '#frontier/links/link-store.ts'
import { linksFromOthers } from '#frontier/links-from-others.ts'
import type { ScopeTest } from '#frontier/scope.ts'
import type { TextMarks } from '#frontier/texts/duplicates.ts'
import { isKeptOut, NOBODY } from '#frontier/urls/url-states.ts'
import type { FailedOutcome, FetchOutcome, PageOutcome } from '#learn/entries/outcome.ts'
import { textFactsOf } from '#learn/entries/text-facts.ts'
import { REL_HUB } from '#parse/page/page.ts'
import { learnLinks } from './learn-links.ts'
import { originalOf } from './originals.ts'

/** A first retry waits this long; each further one four times as long, up to two weeks. */
const FIRST_RETRY_SECONDS = 300
const LAST_LONGER_RETRY = 6
/** What robots.txt or our rules keep from us costs no fetch to ask about, and rules change. */
const ASK_AGAIN_SECONDS = 7 * 86_400

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
  /** Searchers would notice the change: other words, not other markup or a date in a long text. */
  readonly contentChanged: boolean
  /**
   * It brought content that no other page had brought, or as a sitemap or feed new addresses of pages: a
   * pattern that never does is a trap.
   */
  readonly fresh: boolean
  /** URLs that nobody had mentioned before. */
  readonly newUrls: number
  /** URLs it links to and did not when it was last fetched, known before or not. */
  readonly newLinks: number
  /** Of these, how many other pages told of since its last visit; and the page that told of most. */
  readonly foundBefore: number
  readonly rival: number
  /** Other pages that linked to it before this fetch. */
  readonly inLinks: number
  /** The page that already says the same, or that this one names as its better address. */
  readonly duplicateOf?: number
  /** A page that says "not found" with status 200. */
  readonly softError?: boolean
  /** Of the text, if it had to be looked at. */
  readonly marks?: TextMarks
  /** Its copy is given up, as the page could not be had for a month or longer. */
  readonly lost?: boolean
  /** Nothing was sent, since its host is to be left alone for a while, or we broke it off ourselves. */
  readonly postponed?: boolean
  /** Whether a sitemap's or feed's claim that the page had changed came out right, if one was tested. */
  readonly claimRight?: boolean
  /** A sitemap or feed that dates the page said nothing of a change, and this fetch tested that. */
  readonly unclaimed?: boolean
}

/** Takes one outcome into the frontier: the URL's state, its links, and the URLs they reveal. */
export function learnFrom(outcome: FetchOutcome, frontier: Frontier, scope: ScopeTest): Learnt {
  const { id, at } = outcome
  const knownBefore = frontier.size
  const inLinks = linksFromOthers(id, frontier)
  const learnt = learnByKind(outcome, frontier, scope)
  if (isJudged(outcome)) frontier.judge(id, learnt.fresh)
  if (learnt.postponed)
    frontier.postpone(id, at + ((outcome as FailedOutcome).retryAfterSeconds ?? 0))
  else if (outcome.kind === 'failed') {
    const retryAt = at + retryPause(frontier.failuresOf(id), outcome.retryAfterSeconds)
    const wasHeld = frontier.stateOf(id) === 'page'
    frontier.visit(id, { state: 'failed', at, retryAt })
    if (wasHeld && frontier.isLost(id))
      return { outcome, newUrls: 0, inLinks, ...learnt, lost: true }
  } else {
    const state = outcome.kind === 'unchanged' ? 'page' : outcome.kind
    const contentHash = outcome.kind === 'page' ? outcome.contentHash : undefined
    const retry = isKeptOut(outcome.kind) ? { retryAt: at + ASK_AGAIN_SECONDS } : {}
    frontier.visit(id, { state, at, contentHash, ...retry })
    if (state === 'page') frontier.claims.read(id, at)
  }
  return { outcome, newUrls: frontier.size - knownBefore, inLinks, ...learnt }
}

/** The first time a server that says how long is taken at its word; after that the longer pause counts. */
function retryPause(failuresBefore: number, askedSeconds = 0): number {
  if (failuresBefore === 0 && askedSeconds > 0) return askedSeconds
  const own = FIRST_RETRY_SECONDS * 4 ** Math.min(failuresBefore, LAST_LONGER_RETRY)
  return Math.max(own, askedSeconds)
}

/** Outcomes that say something about what such addresses bring. */
function isJudged({ kind }: FetchOutcome): boolean {
  return kind === 'page' || kind === 'redirect' || kind === 'gone' || kind === 'unreadable'
}

type LearntByKind = Omit<Learnt, 'outcome' | 'newUrls' | 'inLinks'>

/** What a fetch teaches that brings nothing. */
const NOTHING_NEW = {
  changed: false,
  contentChanged: false,
  fresh: false,
  newLinks: 0,
  foundBefore: 0,
  rival: NOBODY,
}

function learnByKind(outcome: FetchOutcome, frontier: Frontier, scope: ScopeTest): LearntByKind {
  const { id } = outcome
  switch (outcome.kind) {
    case 'page':
      return learnPage(outcome, frontier, scope)
    case 'redirect':
      learnRedirect(id, outcome.target, outcome.at, frontier, scope)
      return { ...NOTHING_NEW, changed: true, contentChanged: true }
    case 'gone': {
      const changed = frontier.links.targetsOf(id).length > 0
      if (changed) frontier.replaceLinks(id, NO_LINKS)
      return { ...NOTHING_NEW, changed, contentChanged: frontier.stateOf(id) === 'page' }
    }
    case 'unchanged':
      return { ...NOTHING_NEW, ...testClaim(id, false, frontier) }
    case 'unreadable':
    case 'denied':
    case 'disallowed':
    case 'forbidden':
      return NOTHING_NEW
    case 'failed': {
      const { sent, retryAfterSeconds, brokenOff = false } = outcome
      const postponed = brokenOff || (!sent && retryAfterSeconds !== undefined)
      return { ...NOTHING_NEW, ...(postponed && { postponed }) }
    }
  }
}

function learnPage(outcome: PageOutcome, frontier: Frontier, scope: ScopeTest): LearntByKind {
  const { id, page, contentHash, etag, lastModified } = outcome
  frontier.validators.set(id, { etag, lastModified })
  if (page.unavailableAfter === undefined) frontier.unavailableAfter.delete(id)
  else frontier.unavailableAfter.set(id, page.unavailableAfter)
  const isNew = frontier.isNewContent(id, contentHash)
  const wasDuplicate = frontier.duplicates.notedOriginal(id) !== undefined
  if (!isNew && !wasDuplicate) return { ...NOTHING_NEW, ...testClaim(id, false, frontier) }
  const facts = textFactsOf(outcome)
  const { marks, softError } = facts
  const read = { ...(marks && { marks }), ...(softError && { softError }) }
  // A duplicate that is as it was may be the only one by now: that is news.
  const changed = isNew || originalOf(outcome, facts, frontier, scope) === undefined
  if (!changed) return { ...NOTHING_NEW, ...read, ...testClaim(id, false, frontier) }
  const contentChanged = marks === undefined || frontier.texts.replace(id, marks)
  const claim = testClaim(id, contentChanged, frontier)
  const knownBefore = frontier.size
  const links = learnLinks(outcome, frontier, scope)
  const duplicateOf = originalOf(outcome, facts, frontier, scope)
  frontier.duplicates.note(id, duplicateOf)
  if (marks === undefined) {
    const fresh = frontier.size > knownBefore && listsPages(page)
    return { changed, contentChanged, fresh, ...links, ...claim }
  }
  const fresh = duplicateOf === undefined && !softError
  return {
    changed,
    contentChanged,
    fresh,
    ...read,
    ...links,
    ...claim,
    ...(duplicateOf !== undefined && { duplicateOf }),
  }
}

/** Whether a sitemap or feed names anything but further sitemaps and feeds: an endless index does not. */
function listsPages({ links }: PageOutcome['page']): boolean {
  return links.some(({ rel }) => (rel & REL_HUB) === 0)
}

/** What a sitemap or feed said about this page, or did not say, is tested by what the fetch found. */
function testClaim(
  id: number,
  changed: boolean,
  frontier: Frontier,
): Pick<Learnt, 'claimRight' | 'unclaimed'> {
  const lastVisit = frontier.lastVisitOf(id)
  if (lastVisit === 0) return {}
  const host = frontier.urls.hosts()[id]
  if (frontier.claims.saysChanged(id, lastVisit)) {
    frontier.claims.count(host, changed)
    return { claimRight: changed }
  }
  if (!frontier.claims.saysUnchanged(id, host, lastVisit)) return {}
  frontier.claims.countSilence(host, changed)
  return { unclaimed: true }
}

/**
 * A redirect is a page with exactly one out-link; its target is no deeper than itself, and was found by
 * whoever found the redirect.
 */
function learnRedirect(
  id: number,
  target: string,
  at: number,
  frontier: Frontier,
  scope: ScopeTest,
): void {
  const depth = frontier.depthOf(id)
  if (scope(target, depth) !== undefined) {
    frontier.replaceLinks(id, NO_LINKS)
    return
  }
  const finder = frontier.finderOf(id)
  frontier.replaceLinks(id, {
    targets: Uint32Array.of(frontier.add(target, 'redirect', depth, at, finder)),
    anchors: Uint32Array.of(frontier.links.anchors.add('')),
    rels: Uint8Array.of(0),
  })
}
