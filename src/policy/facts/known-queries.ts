import type { Frontier } from '#frontier/frontier.ts'
import type { TextIndex } from '#search/full-text/text-index.ts'
import type { AskedQuery } from './acquisition-facts.ts'
import { QueryKnowledge, type QueryKnowledgeOptions } from './query-knowledge.ts'

/** What policies by queries can be told. */
export type SketchOptions = Pick<
  QueryKnowledgeOptions,
  'needyShare' | 'topK' | 'matchShare' | 'longestNgram'
>

export interface KnownQueriesSetup
  extends SketchOptions,
    Pick<QueryKnowledgeOptions, 'scoring' | 'progress' | 'engine'> {
  readonly frontier: Frontier
  readonly index: TextIndex
  /** What searchers ask; none if there is no query log. */
  readonly queries: readonly AskedQuery[]
  /** The bidder that reads them. Who chooses the neediest itself wants all of them. */
  readonly reader?: { readonly unit: 'quality' | 'rank'; readonly choosesNeedy?: boolean }
  /** So many get a sketch at most. */
  readonly most?: number
  /** Queries for while there is no log, or a small one; synthesised from what was crawled, the weightiest first. */
  readonly synthesise?: () => Promise<readonly AskedQuery[]>
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
  readonly #options: QueryKnowledgeOptions
  /** Whether bids are in quality, so that those by synthetic queries can be added to those by a small log. */
  readonly #canBeAdded: boolean
  #asked: QueryKnowledge | undefined
  #queries: readonly AskedQuery[] = []
  #synthetic: QueryKnowledge | undefined
  #pagesAtSynthesis = 0

  constructor(setup: KnownQueriesSetup) {
    const { scoring, progress, engine, topK, matchShare, longestNgram, reader, needyShare } = setup
    this.#setup = setup
    this.#canBeAdded = reader?.unit === 'quality'
    this.#options = {
      ...{ scoring, progress, engine, topK, matchShare, longestNgram },
      needyShare: reader?.choosesNeedy ? needyShare : undefined,
    }
    this.setQueries(setup.queries)
  }

  /** What searchers ask by now. */
  setQueries(queries: readonly AskedQuery[]): void {
    const { frontier, index, reader, needyShare = 1, most } = this.#setup
    const share = reader?.choosesNeedy ? 1 : needyShare
    const { sketched, lessons } = sketchedQueries(queries, share, most)
    this.#queries = sketched
    if (this.#asked) this.#asked.setQueries(sketched, lessons)
    else if (sketched.length > 0) {
      const options = { ...this.#options, lessons }
      this.#asked = new QueryKnowledge(frontier, index, sketched, options)
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
    const { synthesise, index, frontier } = this.#setup
    const enough = Math.max(FIRST_PAGES, SYNTHESISE_AFTER * this.#pagesAtSynthesis)
    if (synthesise === undefined || index.size < enough || !this.#needsMore()) return
    this.#pagesAtSynthesis = index.size
    const most = Math.min(MOST_SYNTHETIC, QUERIES_A_PAGE * index.size)
    const queries = (await synthesise()).slice(0, most)
    if (queries.length === 0) return
    if (this.#synthetic) return this.#synthetic.setQueries(queries)
    // Where only an order is wanted, synthetic queries are looked for like any others.
    const options = { ...this.#options, isSynthetic: this.#canBeAdded }
    this.#synthetic = new QueryKnowledge(frontier, index, queries, options)
  }

  /** Where there is no log; and beside a small one, if bids can be added up. */
  #needsMore(): boolean {
    const { length } = this.#queries
    return length === 0 || (this.#canBeAdded && length < LARGE_LOG)
  }
}

/** Queries that pages are sought for, and others that only teach what pages are worth. */
interface SketchedQueries<Q extends AskedQuery = AskedQuery> {
  readonly sketched: readonly Q[]
  readonly lessons: readonly Q[]
}

/**
 * Gives sketches to the share of the queries that is asked most, and to no more than `most`. What more fetching
 * can do for a query is not told by its scores well enough to add to that.
 */
export function sketchedQueries<Q extends AskedQuery>(
  queries: readonly Q[],
  share: number,
  most = Number.POSITIVE_INFINITY,
): SketchedQueries<Q> {
  const count = Math.min(most, Math.ceil(queries.length * share))
  const best = new Set(queries.toSorted((a, b) => b.weight - a.weight).slice(0, count))
  return {
    sketched: queries.filter((query) => best.has(query)),
    lessons: queries.filter((query) => !best.has(query)),
  }
}
