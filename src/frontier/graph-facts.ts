import type { Csr } from '#numeric/csr.ts'

/** What link-based policies read: the graph as known now. Arrays are indexed by URL number. */
export interface GraphFacts {
  /** The URLs a policy may bid for, ascending. */
  readonly candidates: Uint32Array
  /** Distinct out-links of each fetched page, without self-links; a URL not fetched has none. */
  readonly links: Csr
  /** Links from the nearest seed when the URL was found. */
  readonly depths: Uint16Array
  /** Number of the URL's host. */
  readonly hosts: Uint32Array
  /** Number of the URL's registrable domain. */
  readonly domains: Uint32Array
  /** Fetched URLs in the order of their first fetch. */
  readonly visits: Uint32Array
  /** Seed for policies that sample or break ties at random. */
  readonly seed: number
}

/** What refreshing policies read. */
export interface RefreshFacts {
  /** The pages held, ascending. */
  readonly pages: Uint32Array
  /** Seconds since the copy of pages[i] was last seen to be good. */
  readonly ages: Float64Array
}
