import type { Frontier } from '#frontier/frontier.ts'
import type { TextIndex } from '#search/full-text/text-index.ts'
import type { AskedQuery } from './acquisition-facts.ts'
import { QueryKnowledge, type QueryKnowledgeOptions } from './query-knowledge.ts'
import type { SketchedQueries } from './sketched-queries.ts'

/** What policies by queries can be told. */
export type SketchOptions = Pick<
  QueryKnowledgeOptions,
  'needyShare' | 'topK' | 'matchShare' | 'longestNgram'
>

export interface KnownQueriesSetup
  extends SketchOptions,
    Pick<QueryKnowledgeOptions, 'scoring' | 'lessons' | 'progress' | 'engine'> {
  readonly frontier: Frontier
  readonly index: TextIndex
  /** What searchers ask; none if there is no query log. */
  readonly queries: readonly AskedQuery[]
  /** Which queries get sketches, of those that searchers ask by then; all if left out. */
  readonly sketch?: (queries: readonly AskedQuery[]) => SketchedQueries
  /** Queries for while there is no log, or a small one; synthesised from what was crawled, the weightiest first. */
  readonly synthesise?: () => Promise<readonly AskedQuery[]>
  /** Whether bids are in quality, so that those by synthetic queries can be added to those by a small log. */
  readonly canBeAdded?: boolean
}

/**
 * Queries are synthesised anew when so many times as many pages are held, and when a crawl is taken up: like models,
 * they are not stored, and those of more pages say more of what there is.
 */
const SYNTHESISE_AFTER = 2
/** Fewer pages have too little to say. */
const FIRST_PAGES = 50
/** So many queries are enough, for each page held and in all: with more, plans took longer and were no better. */
const QUERIES_A_PAGE = 2
const MOST_SYNTHETIC = 1_000
/** A larger log has the say alone. */
const LARGE_LOG = 50

/** The queries that a crawl goes by: those of the log, and synthetic ones while that is small. */
export class KnownQueries {
  readonly #setup: KnownQueriesSetup
  #asked: QueryKnowledge | undefined
  #queries: readonly AskedQuery[] = []
  #synthetic: QueryKnowledge | undefined
  #pagesAtSynthesis = 0

  constructor(setup: KnownQueriesSetup) {
    this.#setup = setup
    this.#take(setup.queries, setup.lessons)
  }

  /** What searchers ask by now. */
  setQueries(queries: readonly AskedQuery[]): void {
    const { sketch = (all) => ({ sketched: all, lessons: [] }) } = this.#setup
    const { sketched, lessons } = sketch(queries)
    this.#take(sketched, lessons)
  }

  #take(queries: readonly AskedQuery[], lessons: readonly AskedQuery[] | undefined): void {
    const { frontier, index } = this.#setup
    this.#queries = queries
    if (this.#asked) this.#asked.setQueries(queries, lessons)
    else if (queries.length > 0) {
      const options = { ...this.#setup, lessons }
      this.#asked = new QueryKnowledge(frontier, index, queries, options)
    }
  }

  /** Undefined without a log. */
  get asked(): QueryKnowledge | undefined {
    return this.#asked
  }

  get synthetic(): QueryKnowledge | undefined {
    return this.#synthetic
  }

  /** To be awaited before a plan: synthetic queries grow with what is held. */
  async renew(): Promise<void> {
    await this.#synthesise()
    await this.#asked?.askEngine()
    await this.#synthetic?.askEngine()
  }

  async #synthesise(): Promise<void> {
    const { synthesise, index, frontier, canBeAdded } = this.#setup
    const enough = Math.max(FIRST_PAGES, SYNTHESISE_AFTER * this.#pagesAtSynthesis)
    if (synthesise === undefined || index.size < enough || !this.#needsMore()) return
    this.#pagesAtSynthesis = index.size
    const most = Math.min(MOST_SYNTHETIC, QUERIES_A_PAGE * index.size)
    const queries = (await synthesise()).slice(0, most)
    if (queries.length === 0) return
    if (this.#synthetic) return this.#synthetic.setQueries(queries)
    // Where only an order is wanted, synthetic queries are looked for like any others.
    const instead = canBeAdded && { isSynthetic: true }
    const options = { ...this.#setup, lessons: [], ...instead }
    this.#synthetic = new QueryKnowledge(frontier, index, queries, options)
  }

  /** Where there is no log; and beside a small one, if bids can be added up. */
  #needsMore(): boolean {
    const { length } = this.#queries
    return length === 0 || (this.#setup.canBeAdded === true && length < LARGE_LOG)
  }
}
