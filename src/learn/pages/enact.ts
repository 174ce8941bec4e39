import type { Frontier } from '#frontier/frontier.ts'
import type { TextMarks } from '#frontier/texts/duplicates.ts'
import type { FetchOutcome, RenderingState } from '../entries/outcome.ts'

/** What an answer said of the copy beside its content. */
interface CopyHeaders {
  readonly etag?: string
  readonly lastModified?: string
  /** When the copy may not be shown any more. */
  readonly unavailableAfter?: number
}

/** What new content of a URL is like. */
interface NewContent {
  /** The first 52 bits of its hash. */
  readonly key: number
  /** Of its text; absent for sitemaps and feeds. */
  readonly marks?: TextMarks
  /** To anybody, and for good. */
  readonly isShown: boolean
  /** The page that already says the same, or that this one names as its better address. */
  readonly duplicateOf?: number
}

/** What one fetch did to what is known of its URL. The URLs and links that it showed are kept beside it. */
export interface FetchEffect {
  readonly url: number
  readonly at: number
  readonly kind: FetchOutcome['kind']
  /** Nothing was learnt but that the URL must wait until then. */
  readonly postponedUntil?: number
  /** When it may be asked for again; the frontier decides if left out. */
  readonly retryAt?: number
  /** It brought content that no other page had brought. */
  readonly fresh: boolean
  readonly contentChanged: boolean
  readonly headers?: CopyHeaders
  readonly content?: NewContent
  /** Of a page that was rendered, or might be. */
  readonly rendering?: RenderingState
  /** Whether a claim of a change came out right, or a silence was tested; see `ChangeClaims`. */
  readonly claimRight?: boolean
  readonly unclaimed?: boolean
}

/** Does to the frontier what a fetch did: when it is learnt, and again when a snapshot is read. */
export function enact(effect: FetchEffect, frontier: Frontier): void {
  const { url, at, kind, postponedUntil, headers, content } = effect
  if (postponedUntil !== undefined) {
    frontier.postpone(url, postponedUntil)
    return
  }
  if (headers) takeHeaders(url, headers, frontier)
  if (content) takeContent(url, content, awaitsRendering(effect), frontier)
  // A frame that is rendered is seen for the first time.
  const isFirst = frontier.lastVisitOf(url) === 0 || frontier.renderings.isFrame(url)
  if (isFirst && isJudged(kind) && !awaitsRendering(effect)) frontier.judge(url, effect.fresh)
  if (frontier.lastVisitOf(url) === 0) judgeAddress(url, kind, frontier)
  if (kind === 'page') frontier.renderings.note(url, effect.rendering, content !== undefined)
  const state = kind === 'unchanged' ? 'page' : kind
  frontier.visit(url, { state, at, retryAt: effect.retryAt, contentKey: content?.key })
  if (state === 'page') frontier.claims.read(url, at)
  countClaim(effect, frontier)
}

/** Frames of applications are all alike: nothing is said of a page by its own. */
export function awaitsRendering({ rendering }: Pick<FetchEffect, 'rendering'>): boolean {
  return rendering === 'thin' || rendering === 'shell'
}

function takeHeaders(url: number, headers: CopyHeaders, frontier: Frontier): void {
  const { etag, lastModified, unavailableAfter } = headers
  frontier.validators.set(url, { etag, lastModified })
  if (unavailableAfter === undefined) frontier.unavailableAfter.delete(url)
  else frontier.unavailableAfter.set(url, unavailableAfter)
}

function takeContent(url: number, content: NewContent, isFrame: boolean, frontier: Frontier): void {
  const { marks, isShown, duplicateOf } = content
  const { texts, duplicates } = frontier
  if (marks) texts.take(url, marks)
  if (marks && duplicateOf === undefined && !isFrame) duplicates.say(url, marks, isShown)
  else duplicates.leave(url, marks !== undefined && isShown)
  duplicates.note(url, duplicateOf)
}

function countClaim(effect: FetchEffect, { claims, urls }: Frontier): void {
  const { url, claimRight, unclaimed = false, contentChanged } = effect
  const host = urls.hostNumberOf(url)
  if (claimRight !== undefined) claims.count(host, claimRight)
  if (unclaimed) claims.countSilence(host, contentChanged)
}

/** Whether the first fetch of a URL shows that its address leads somewhere; of others what it shows is old. */
function judgeAddress(url: number, kind: FetchOutcome['kind'], { addresses }: Frontier): void {
  if (kind === 'page' || kind === 'redirect') addresses.record(url, true)
  if (kind === 'gone' || kind === 'denied') addresses.record(url, false)
}

/** Outcomes that say something about what such addresses bring. */
function isJudged(kind: FetchOutcome['kind']): boolean {
  return kind === 'page' || kind === 'redirect' || kind === 'gone' || kind === 'unreadable'
}

/**
 * Ends a cycle in the frontier: duplicates of pages that it found lost or hidden are released, so that one of
 * each text may stand for it from now on.
 */
export function releaseDuplicates(
  fetched: Iterable<{ readonly url: number; readonly changed: boolean }>,
  frontier: Frontier,
): void {
  for (const { url, changed } of fetched)
    if (isLostOrHidden(url, changed, frontier)) frontier.releaseDuplicatesOf(url)
}

/** Whether a page that was just fetched is lost, or has become one that searchers do not see. */
function isLostOrHidden(url: number, changed: boolean, frontier: Frontier): boolean {
  return frontier.isLost(url) || (changed && frontier.duplicates.isHidden(url))
}
