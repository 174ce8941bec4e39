import type { Frontier } from '#frontier/frontier.ts'
import type { LinkRow } from '#frontier/links/link-store.ts'
import { linksFromOthers } from '#frontier/links-from-others.ts'
import type { ScopeTest } from '#frontier/scope.ts'
import { contentKey } from '#frontier/texts/text-marks.ts'
import { MOST_HOPS } from '#frontier/urls/redirect-chains.ts'
import { originOf } from '#frontier/urls/robots-rules.ts'
import { isKeptOut } from '#frontier/urls/url-states.ts'
import { REL_HUB } from '#parse/page/page.ts'
import type { LearntFetch } from '../entries/learnt-fetch.ts'
import {
  type FetchOutcome,
  type PageOutcome,
  type RedirectOutcome,
  textFactsOf,
} from '../entries/outcome.ts'
import { awaitsRendering, enact, type FetchEffect } from './enact.ts'
import { learnLinks, replaceLinks } from './learn-links.ts'
import { isShownForGood, originalOf } from './originals.ts'

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

/** Takes one outcome into the frontier: the URL's state, its links, and the URLs they reveal. */
export function learnFrom(
  outcome: FetchOutcome,
  frontier: Frontier,
  scope: ScopeTest,
): LearntFetch {
  const { id, at, kind, rules } = outcome
  if (rules !== undefined) frontier.robots.learn(originOf(outcome.url), rules, at)
  const knownBefore = frontier.size
  const inLinks = linksFromOthers(id, frontier)
  const wasHeld = frontier.stateOf(id) === 'page'
  const { headers, content, ...learnt } = learnByKind(outcome, frontier, scope)
  const { fresh, contentChanged, claimRight, unclaimed } = learnt
  const rendering = kind === 'page' ? outcome.rendering?.state : undefined
  enact(
    {
      ...{ url: id, at, kind, fresh, contentChanged, claimRight, unclaimed, headers, content },
      rendering,
      ...whenNext(outcome, learnt.postponed === true, frontier),
    },
    frontier,
  )
  const lost = kind === 'failed' && wasHeld && frontier.isLost(id)
  return {
    ...{ outcome, newUrls: frontier.size - knownBefore, inLinks, ...learnt },
    ...(lost && { lost }),
  }
}

/** When a URL may be asked for again that failed, was put off, or that we were kept from. */
function whenNext(
  outcome: FetchOutcome,
  postponed: boolean,
  frontier: Frontier,
): Pick<FetchEffect, 'postponedUntil' | 'retryAt'> {
  const { id, at, kind, notBefore = 0 } = outcome
  const notEarlier = (retryAt: number) => ({ retryAt: Math.max(retryAt, notBefore) })
  if (isKeptOut(kind)) return notEarlier(at + ASK_AGAIN_SECONDS)
  if (kind !== 'failed') return notBefore > 0 ? { retryAt: notBefore } : {}
  const { retryAfterSeconds } = outcome
  if (postponed) return { postponedUntil: at + (retryAfterSeconds ?? 0) }
  return notEarlier(at + retryPause(frontier.failuresOf(id), retryAfterSeconds))
}

/** The first time a server that says how long is taken at its word; after that the longer pause counts. */
function retryPause(failuresBefore: number, askedSeconds = 0): number {
  if (failuresBefore === 0 && askedSeconds > 0) return askedSeconds
  const own = FIRST_RETRY_SECONDS * 4 ** Math.min(failuresBefore, LAST_LONGER_RETRY)
  return Math.max(own, askedSeconds)
}

type LearntByKind = Omit<LearntFetch, 'outcome' | 'newUrls' | 'inLinks' | 'lost'> &
  Pick<FetchEffect, 'headers' | 'content'>

/** What a fetch teaches that brings nothing. */
const NOTHING_NEW = {
  changed: false,
  contentChanged: false,
  fresh: false,
  newLinks: 0,
}

function learnByKind(outcome: FetchOutcome, frontier: Frontier, scope: ScopeTest): LearntByKind {
  const { id } = outcome
  switch (outcome.kind) {
    case 'page':
      return learnPage(outcome, frontier, scope)
    case 'redirect':
      return { ...NOTHING_NEW, ...learnRedirect(outcome, frontier, scope) }
    case 'gone': {
      const contentChanged = frontier.stateOf(id) === 'page'
      if (frontier.links.targetsOf(id).length === 0) return { ...NOTHING_NEW, contentChanged }
      const { renamed } = replaceLinks(id, NO_LINKS, frontier)
      return { ...NOTHING_NEW, changed: true, contentChanged, renamed }
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
  const { unavailableAfter } = page
  const headers = { etag, lastModified, unavailableAfter }
  const isNew = frontier.isNewContent(id, contentHash)
  const wasDuplicate = frontier.duplicates.notedOriginal(id) !== undefined
  const asItWas = () => ({ ...NOTHING_NEW, headers, ...testClaim(id, false, frontier) })
  if (!isNew && !wasDuplicate) return asItWas()
  const rendering = outcome.rendering?.state
  // What it takes scripts to see is not gone because a fetch ran none.
  const lacksScripts = rendering !== 'done' && page.scriptNeed !== undefined
  if (lacksScripts && frontier.renderings.isRendered(id)) return asItWas()
  const isFrame = awaitsRendering({ rendering })
  const facts = textFactsOf(outcome)
  const { marks, softError } = facts
  const read = { ...(marks && { marks }), ...(softError && { softError }) }
  // A duplicate that is as it was may be the only one by now: that is news.
  const original = () => (isFrame ? undefined : originalOf(outcome, facts, frontier, scope))
  const changed = isNew || original() === undefined
  if (!changed) return { ...asItWas(), ...read }
  const contentChanged = marks === undefined || frontier.texts.isChange(id, marks)
  const claim = testClaim(id, contentChanged, frontier)
  const knownBefore = frontier.size
  const links = learnLinks(outcome, frontier, scope)
  const duplicateOf = original()
  const isShown = isShownForGood(page, softError)
  const content = { key: contentKey(contentHash), marks, isShown, duplicateOf }
  const learnt = { changed, contentChanged, headers, content, ...links, ...claim }
  if (marks === undefined)
    return { ...learnt, fresh: frontier.size > knownBefore && listsPages(page) }
  const fresh = duplicateOf === undefined && !softError
  return { ...learnt, fresh, ...read, ...(duplicateOf !== undefined && { duplicateOf }) }
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
): Pick<LearntFetch, 'claimRight' | 'unclaimed'> {
  const lastVisit = frontier.lastVisitOf(id)
  if (lastVisit === 0) return {}
  const host = frontier.urls.hostNumberOf(id)
  if (frontier.claims.saysChanged(id, lastVisit)) return { claimRight: changed }
  return frontier.claims.saysUnchanged(id, host, lastVisit) ? { unclaimed: true } : {}
}

/**
 * A redirect is a page with exactly one out-link; its target is no deeper than itself, and was found by
 * whoever found the redirect. At the end of a long chain only what is known already is followed.
 */
function learnRedirect(
  { id, target, at }: RedirectOutcome,
  frontier: Frontier,
  scope: ScopeTest,
): Pick<LearntFetch, 'changed' | 'contentChanged' | 'renamed'> {
  const depth = frontier.discoveries.depthOf(id)
  const isTooLong = frontier.redirects.hopsTo(id) >= MOST_HOPS
  const isFollowed =
    scope(target, depth) === undefined && (!isTooLong || frontier.urls.find(target) !== undefined)
  const onlyLink = () => ({
    targets: Uint32Array.of(
      frontier.add(target, 'redirect', depth, at, frontier.discoveries.finderOf(id)),
    ),
    anchors: Uint32Array.of(frontier.links.anchors.add('')),
    rels: Uint8Array.of(0),
  })
  const row = isFollowed ? onlyLink() : NO_LINKS
  const { renamed } = replaceLinks(id, row, frontier)
  if (isFollowed) frontier.redirects.note(id, row.targets[0])
  return { changed: true, contentChanged: true, renamed }
}
