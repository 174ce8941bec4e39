import type { Result } from '../full-text/best-results.ts'

/** What an engine is told of a page; of two writes the one with the later time counts, in whatever order they arrive. */
export interface EnginePage {
  /** The page's number in the crawl. */
  readonly id: number
  readonly url: string
  /** When it was fetched, in seconds since 1970. */
  readonly at: number
  readonly title: string
  readonly text: string
}

/**
 * Whoever answers searchers: what pages are worth is measured by its own scores. Ours is one (`own-engine.ts`), others are
 * reached over the network.
 */
export interface SearchEngine {
  /** Takes pages in; from then on they are found. */
  keep(pages: readonly EnginePage[]): Promise<void>
  /** Shows pages no longer. */
  forget(pages: readonly Pick<EnginePage, 'id' | 'url' | 'at'>[]): Promise<void>
  /** By query and page: how well it answers, 0 if not at all. */
  scoresOf(queries: readonly string[], pages: readonly number[]): Promise<readonly Float64Array[]>
  /** By query: the best results, best first, at most so many. */
  curvesOf(queries: readonly string[], depth: number): Promise<readonly (readonly Result[])[]>
}
