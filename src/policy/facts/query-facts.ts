import type { LinkWords } from '#frontier/link-words/link-words.ts'
import type { QueryProgress } from '#workload/improvability.ts'
import type { AskedQuery, QueryAnswers } from './acquisition-facts.ts'

/** Queries with how they are answered now. */
export interface AnsweredQueries {
  readonly queries: readonly AskedQuery[]
  /** By the numbers of `queries`. */
  readonly answers: QueryAnswers
}

/** What is known of some queries. */
export interface QueryFacts extends AnsweredQueries {
  /** What addresses and anchors say, for synthetic queries addresses alone; its queries have the numbers of `queries`. */
  readonly words: LinkWords
  /** Nobody asked them: they tell what fetched pages are worth, but must not be looked for. */
  readonly isSynthetic: boolean
  /** This share of the queries gets a sketch, where a policy of the paper chooses the neediest. */
  readonly needyShare: number
  /** What past plans did for the queries, from each plan to the next. */
  readonly progress: readonly QueryProgress[]
  /** Policies of the paper take it that searchers look at so many results: K. */
  readonly topK: number
  /** They match a page that holds this share of a query's n-grams: ρ. */
  readonly matchShare: number
  /** All that is learnt from: the queries, and others that get no sketch. */
  readonly lessons: AnsweredQueries
  /** What fetched pages score for a query. */
  readonly scoresOf: (query: number, urls: Uint32Array) => Float64Array
  readonly models: Models
  /** For whom it is enough to look at all queries now and then. */
  readonly review: Review
}

/**
 * What was found when all queries were looked at last. It holds for some plans: little changes from one to the next, and
 * to answer all queries and ask them about all candidates is most of what a plan costs.
 */
export interface Review {
  /** The URLs that had been fetched by then, and how the queries were answered. */
  readonly visits: Uint32Array
  readonly answers: QueryAnswers
  /** Queries that are looked at in every plan: they were answered now. */
  readonly renewed: readonly number[]
  /** Learnt from that, when a review finds that it is time to. */
  readonly models: Models
  /** What was found out about the queries by that name: now, if nobody has asked yet. */
  kept<Found>(name: string, find: () => Found): Found
}

/**
 * What was learnt from the pages of a crawl, by name: planning state that can be made anew. A model is learnt again when
 * the crawl has grown, so that a replay learns at the same moments.
 */
export interface Models {
  /**
   * The model of that name, learnt now if it is time to. Where too little was fetched to learn from, it is tried again
   * when the crawl has grown, or at every plan.
   */
  of<Model>(
    name: string,
    learn: () => Model | undefined,
    retry?: 'when grown' | 'always',
  ): Model | undefined
}
