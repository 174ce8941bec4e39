import type { TextMarks } from '#frontier/texts/duplicates.ts'
import { textMarks } from '#frontier/texts/text-marks.ts'
import { isKeptOut } from '#frontier/urls/url-states.ts'
import type { Link, ParsedPage } from '#parse/page/page.ts'
import { looksLikeSoftError } from '#parse/page/soft-404.ts'

/** What every outcome carries. */
interface Attempt {
  /** The request's `id` and `url`. */
  readonly id: number
  readonly url: string
  /** When the answer was complete, in seconds since 1970. */
  readonly at: number
  readonly ms: number
  /** Whoever fetched it for us wants it left alone until then; seconds since 1970. */
  readonly notBefore?: number
  /** URLs that came beside the page: Link headers, sitemaps that robots.txt names. */
  readonly found?: readonly Link[]
  /** What the origin's robots.txt says to us, when it was read or a run first went by it; '' if it forbids nothing. */
  readonly rules?: string
  /** What went over the wire, for the WARC file; dropped as soon as it is kept. */
  readonly exchange?: Exchange
  /** What was asked for to know its robots.txt, likewise; it costs no budget. */
  readonly robots?: readonly RobotsExchange[]
  /** In their place, where the worker that fetched has kept them: what it wrote. */
  readonly kept?: KeptExchanges
  /** Who of a fleet fetched it, and where in what the fleet stored it stands. */
  readonly fleet?: FleetPlace
}

/** The how-manieth outcome of which segment, by the order in which these were accepted. */
interface FleetPlace {
  readonly sequence: number
  readonly place: number
  readonly worker: string
}

/** What a worker has written of a fetch. */
export interface KeptExchanges {
  readonly own?: KeptRecord
  /** What was asked for to know its robots.txt. */
  readonly robots: readonly KeptRecord[]
}

/** A response or revisit in a WARC file. */
export interface KeptRecord {
  readonly url: string
  /** Seconds since 1970. */
  readonly at: number
  /** `warc/revisit` for a revisit. */
  readonly mime: string
  readonly status: number
  readonly digest: string
  readonly offset: number
  readonly length: number
  readonly filename: string
  /** The record's uuid, which a revisit in a later run refers to. */
  readonly record: string
  /** Why its payload is not whole, if it is not. */
  readonly truncated?: string
}

/** One request and its answer, byte for byte as far as they were kept. */
export interface Exchange {
  /** Request line and headers, CRLF and all. */
  readonly requestHead: string
  /** Status line and headers as received, CRLF and all; transfer-encoding already taken off the body. */
  readonly responseHead: string
  /** Still content-encoded, as on the wire. */
  readonly body: Uint8Array
  /** Why `body` is not whole, in WARC's words. */
  readonly truncated?: 'length' | 'time' | 'disconnect'
  /** The address that answered. */
  readonly ip?: string
  /** When the request was sent; seconds since 1970. */
  readonly startedAt: number
}

/** The answer of a robots.txt, or of where it redirected to. */
export interface RobotsExchange {
  readonly url: string
  readonly exchange: Exchange
}

/** An HTTP answer came, whatever it says. */
interface Answer extends Attempt {
  readonly status: number
  /** Bytes received on the wire for the body. */
  readonly bytes: number
}

export interface PageOutcome extends Answer {
  readonly kind: 'page'
  readonly page: ParsedPage
  /** Set where the text itself is left out, as in the kept log, or was looked at when the page was read. */
  readonly textFacts?: TextFacts
  /** Of the body as received, hex; equal hashes mean the same content. */
  readonly contentHash: string
  readonly etag?: string
  readonly lastModified?: string
  /** In a crawl that renders: whether it was, or might be. */
  readonly rendering?: Rendering
  /** The markup as received, for whoever renders it; dropped then. */
  readonly source?: Uint8Array
  /** The page as its scripts have made it, for the WARC file; dropped as soon as it is kept. */
  readonly dom?: Uint8Array
}

/** 304, or an answer that is the same to the byte: content, links and index entry stay. */
interface UnchangedOutcome extends Answer {
  readonly kind: 'unchanged'
}

/** A redirect is not followed here: its target becomes a URL like any other, with its own fetch. */
export interface RedirectOutcome extends Answer {
  readonly kind: 'redirect'
  /** Absolute and canonical. */
  readonly target: string
}

/**
 * What rendering has to do with a page. `thin` and `shell`: it might be rendered, by that sign. `done`: it is what its
 * scripts have made of it. `fruitless`: they made nothing more of it. `failed`: it could not be rendered. `unasked`: it was
 * fetched as a `shell` by a run that renders nothing, where it is a page like any other; a later run may render it.
 */
export const RENDERING_STATES = ['thin', 'shell', 'done', 'fruitless', 'failed', 'unasked'] as const
export type RenderingState = (typeof RENDERING_STATES)[number]

export interface Rendering {
  readonly state: RenderingState
  /** What was paid for it, in fetches, the page itself included; absent where it was not rendered. */
  readonly cost?: number
  /** What its scripts asked for, of that what robots.txt or our rules kept from them, and the bytes that came. */
  readonly requests?: number
  readonly refused?: number
  readonly bytes?: number
  /** Why it failed. */
  readonly reason?: string
}

/** 404 or 410. */
interface GoneOutcome extends Answer {
  readonly kind: 'gone'
}

/** Something that is not a page we can read: an image, a PDF, a body beyond the limit. */
interface UnreadableOutcome extends Answer {
  readonly kind: 'unreadable'
  readonly reason: string
}

/** The server does not want us to have it (401, 403, 451 …). */
interface DeniedOutcome extends Answer {
  readonly kind: 'denied'
  /** What it asks for instead, if it says so. */
  readonly reason?: string
}

/** robots.txt forbids it: nothing was sent, so it costs no budget. */
interface DisallowedOutcome extends Attempt {
  readonly kind: 'disallowed'
  readonly rule: string
}

/** No usable answer: DNS, connection, timeout, 5xx, 429. It may work later. */
export interface FailedOutcome extends Attempt {
  readonly kind: 'failed'
  readonly reason: string
  readonly status?: number
  /** False when nothing was sent for this URL, as when its host's robots.txt cannot be had. */
  readonly sent: boolean
  /** The server asked to be left alone for so long (429, 503). */
  readonly retryAfterSeconds?: number
  /** We broke it off ourselves, as time or bytes ran out: it says nothing of the URL. */
  readonly brokenOff?: true
}

/** We do not go there: a private address, a port or scheme that is not the web's. Costs nothing. */
interface ForbiddenOutcome extends Attempt {
  readonly kind: 'forbidden'
  readonly reason: string
}

export type FetchOutcome =
  | PageOutcome
  | UnchangedOutcome
  | RedirectOutcome
  | GoneOutcome
  | UnreadableOutcome
  | DeniedOutcome
  | DisallowedOutcome
  | FailedOutcome
  | ForbiddenOutcome

export const OUTCOME_KINDS: readonly FetchOutcome['kind'][] = [
  'page',
  'unchanged',
  'redirect',
  'gone',
  'unreadable',
  'denied',
  'disallowed',
  'forbidden',
  'failed',
]

/** Whether an outcome tells what a fetch is worth: a web that cannot be reached says nothing of its pages. */
export function tellsGain({ kind }: Pick<FetchOutcome, 'kind'>): boolean {
  return kind !== 'failed' && !isKeptOut(kind)
}

/** What an outcome costs: one fetch if a request was sent, whatever came of it, and as many as were agreed on if it was rendered. */
export function costOf(outcome: FetchOutcome): number {
  if (isKeptOut(outcome.kind)) return 0
  if (outcome.kind === 'page') return outcome.rendering?.cost ?? 1
  return outcome.kind === 'failed' && !outcome.sent ? 0 : 1
}

/** What learning needs of a page's text. The kept log has this in place of the text. */
export interface TextFacts {
  /** In characters. */
  readonly length: number
  /** Absent for sitemaps and feeds. */
  readonly marks?: TextMarks
  /** A page that says "not found" with status 200. */
  readonly softError: boolean
}

export function textFactsOf({ page, textFacts }: PageOutcome): TextFacts {
  if (textFacts) return textFacts
  const facts = { length: page.text.length, softError: looksLikeSoftError(page) }
  return page.form === 'page' ? { ...facts, marks: textMarks(page) } : facts
}
