import type { YieldExpectations } from './yield-book.ts'

/** What discovering policies read. */
export interface YieldFacts {
  /** What revisits of the pages held are expected to lead to. */
  readonly held: YieldExpectations
  /** The class of each page held, by its place in `held.pages`. */
  readonly heldClasses: Uint32Array
  /** URLs not fetched yet; the columns below are by place in it. */
  readonly candidates: Uint32Array
  /** URLs nobody has mentioned yet, expected of a first fetch. */
  readonly firstLinks: Float64Array
  readonly candidateClasses: Uint32Array
}
