import type { YieldExpectations } from './yield-book.ts'

/** What discovering policies read. */
export interface YieldFacts {
  /** What revisits of the pages held are expected to lead to. */
  readonly held: YieldExpectations
  /** URLs not fetched yet; the column below is by place in it. */
  readonly candidates: Uint32Array
  /** URLs nobody has mentioned yet, expected of a first fetch. */
  readonly firstLinks: Float64Array
}
