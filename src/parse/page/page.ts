import type { DocumentFormat } from './document-format.ts'
import type { PageData } from './page-data.ts'
import type { ScriptNeed } from './script-need.ts'

/** What one link says about its target; bits of `Link.rel`. */
export const REL_NOFOLLOW = 1
export const REL_UGC = 2
export const REL_SPONSORED = 4
/** Listed in a sitemap or feed: known to exist, but not a vote; what is said of it are words as in a link. */
export const REL_SITEMAP = 8
export const REL_FEED = 16
export const REL_LISTED: number = REL_SITEMAP | REL_FEED
/** The same page in another language or form (hreflang, amphtml), or a Link header's target. */
export const REL_ALTERNATE = 32
/** A feed or sitemap that the page or robots.txt names. */
export const REL_HUB = 64
/** Named by robots.txt; without REL_HUB, where a sitemap mostly lies if robots.txt names none. */
export const REL_ROBOTS = 128

/** Links that are no vote for their target, and so stay out of the link graph. */
export const REL_UNVOTED: number = REL_LISTED | REL_ALTERNATE | REL_HUB

export interface Link {
  /** Absolute and canonical (see `canonical-url.ts`). */
  readonly url: string
  /** The link's visible words, an image's alt text, or what a list says of the page; white space collapsed; may be empty. */
  readonly anchor: string
  /** Any of the REL_ bits. */
  readonly rel: number
  /** When the target last changed, as a sitemap or feed claims; seconds since 1970. */
  readonly lastModified?: number
}

/** The hubs that tell of a feed's news, and the address by which they know it, if it is another. As written, not canonical. */
export interface PushLinks {
  readonly hubs: readonly string[]
  readonly topic?: string
}

/** What a page says, whoever fetched it: the live web, a WARC file or the lab's archive. */
export interface ParsedPage {
  /** Sitemaps and feeds are pages to a crawler: they only have links to offer. */
  readonly form: 'page' | 'sitemap' | 'feed'
  readonly title: string
  /** Visible text: one line a block, white space collapsed. */
  readonly text: string
  /** Lines of the text that are not what the page is about, such as menus: first and end of each run, from 0. */
  readonly asides?: readonly number[]
  /** In document order, repeated links included; only http and https. */
  readonly links: readonly Link[]
  /** The address the page itself prefers (rel=canonical), if it names a valid one. */
  readonly canonical?: string
  /** The language it speaks, by its words; as declared where these do not tell; lower case (`en`, `pt-br`). */
  readonly language?: string
  /** The language it declares, if that is another. */
  readonly declaredLanguage?: string
  /** The page asks not to be shown in results. */
  readonly noindex: boolean
  /** The page asks that none of its links be followed. */
  readonly nofollow: boolean
  /** The page asks that no copy be kept for others to see, or no excerpt shown. */
  readonly noarchive?: boolean
  readonly nosnippet?: boolean
  /** The page is not to be shown after this time; seconds since 1970. */
  readonly unavailableAfter?: number
  /** Where a meta refresh within a few seconds leads: a redirect in all but name. */
  readonly refreshTo?: string
  /** Of a feed: who tells of its news (WebSub). */
  readonly push?: PushLinks
  /** What kind of file it was, if not a page in HTML. */
  readonly format?: DocumentFormat | 'text'
  /** What it says of itself for machines: who wrote it, when, and what kind of thing it is about. */
  readonly data?: PageData
  /** The operator's own fields, as selectors found them. */
  readonly fields?: PageFields
  /** Only its beginning was read: it is longer than the limit. */
  readonly cut?: true
  /** It shows little unless its scripts run. */
  readonly scriptNeed?: ScriptNeed
  /** Usage preferences as declared (`Content-Usage`), word for word. */
  readonly contentUsage?: string
}

/** A field's text, or a list of texts where all that match are wanted. */
export type PageFields = Readonly<Record<string, string | readonly string[]>>

/** The name by which pages and robots.txt address us, unless a crawl goes by another. */
export const AGENT_TOKEN = 'forager'

/** What is beyond these is cut off: no real page needs more, and hostile ones would send it. */
export const MAX_TEXT_CHARS = 200_000
export const MAX_TITLE_CHARS = 500
export const MAX_ANCHOR_CHARS = 300
export const MAX_LINKS = 10_000
