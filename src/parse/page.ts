/** What one link says about its target; bits of `Link.rel`. */
export const REL_NOFOLLOW = 1
export const REL_UGC = 2
export const REL_SPONSORED = 4

export interface Link {
  /** Absolute and canonical (see `canonical-url.ts`). */
  readonly url: string
  /** The link's visible words, or an image's alt text; white space collapsed; may be empty. */
  readonly anchor: string
  /** Any of the REL_ bits. */
  readonly rel: number
}

/** What a page says, whoever fetched it: the live web, a WARC file or the lab's archive. */
export interface ParsedPage {
  readonly title: string
  /** Visible text: one line a block, white space collapsed. */
  readonly text: string
  /** In document order, doublets included; only http and https. */
  readonly links: readonly Link[]
  /** The address the page itself prefers (rel=canonical), if it names a valid one. */
  readonly canonical?: string
  /** Language as declared, lower case (`en`, `pt-br`), if declared. */
  readonly language?: string
  /** The page asks not to be shown in results. */
  readonly noindex: boolean
  /** The page asks that none of its links be followed. */
  readonly nofollow: boolean
}

/** What is beyond these is cut off: no real page needs more, and hostile ones would send it. */
export const MAX_TEXT_CHARS = 200_000
export const MAX_TITLE_CHARS = 500
export const MAX_ANCHOR_CHARS = 300
export const MAX_LINKS = 10_000
