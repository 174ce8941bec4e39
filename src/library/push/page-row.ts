/** A page as `forager export pages` writes it: what became of it, and what it says. */
export interface PageRow {
  /** The fetch that told so: of two rows with one URL the later one counts. */
  readonly position: number
  readonly url: string
  readonly host: string
  readonly state: string
  readonly event: 'new' | 'changed' | 'gone'
  /** Since when it is so, as in 2026-11-18T03:00:00.000Z. */
  readonly since: string
  readonly content_at: string
  /** A page, or a sitemap, a feed and the like. */
  readonly form: string
  /** What kind of file it is, if not a page in HTML: `pdf`, `docx` and the like. */
  readonly format?: string
  readonly title?: string
  readonly language?: string
  readonly content_hash?: string
  /** The page that says the same, and is shown in its place. */
  readonly duplicate_of?: string
  readonly noindex: boolean
  readonly soft_error: boolean
  /** What it says of itself for machines, and all of it as JSON; times as in `since`. */
  readonly data_type?: string
  readonly description?: string
  readonly author?: string
  readonly published_at?: string
  readonly modified_at?: string
  readonly image?: string
  readonly data?: unknown
  /** The operator's own fields. */
  readonly fields?: Readonly<Record<string, string | readonly string[]>>
  readonly text?: string
}

/** Whether searchers may see it. */
export function isShown({ state, form, noindex, soft_error, duplicate_of }: PageRow): boolean {
  return state === 'page' && form === 'page' && !noindex && !soft_error && !duplicate_of
}
