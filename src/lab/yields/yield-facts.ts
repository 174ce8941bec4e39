/** What revisits are expected to lead to; columns by place in `pages`. */
export interface YieldExpectations {
  readonly pages: Uint32Array
  /** New pages that nobody else is expected to lead to before. */
  readonly own: Float64Array
  /** Days since the last visit: these new pages have waited half of it on average. */
  readonly ownDays: Float32Array
  /** New pages that its rival shows too: none are left as soon as the rival is fetched. */
  readonly shared: Float64Array
  /** Days since the page or its rival was visited, whichever was last. */
  readonly sharedDays: Float32Array
  /** The page that led to most of the same before; NOBODY if none did. */
  readonly rivals: Int32Array
  /** 1 for a page that was never fetched again: what it will show is a guess by its cohorts. */
  readonly isUntried: Uint8Array
  /** Of those never fetched again: 1 for a page in menus. */
  readonly isInMenus: Uint8Array
}
