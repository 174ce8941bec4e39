import type { GraphFacts } from '#frontier/graph-facts.ts'
import type { LinkWords } from '#frontier/link-words/link-words.ts'
import type { BoostedTrees } from '#numeric/learning/boosted-trees.ts'
import type { Calibrator } from '#numeric/learning/calibration.ts'
import type { AnswerClicks } from '#workload/workload.ts'

/** A query that a crawl is to serve, and how often people ask it relative to the others. */
export interface AskedQuery {
  readonly text: string
  readonly weight: number
  /** The answers that searchers clicked; none if left out. */
  readonly clicks?: readonly AnswerClicks[]
}

/**
 * How each query is answered now. Results of query q are those from q · depth on, best first; there are
 * `kept[q]` of them, at most `depth`.
 */
export interface QueryAnswers {
  readonly depth: number
  readonly kept: Uint32Array
  readonly urls: Uint32Array
  readonly scores: Float64Array
  /** How many results each query has, counted up to some hundreds. */
  readonly resultCounts: Uint32Array
  /** No page can score more, by query: makes scores of queries comparable. */
  readonly bounds: Float64Array
  /** What a result among the first ten adds to the quality of answers, mean over all of them. */
  readonly meanGain: number
  /** Content words of each query. */
  readonly lengths: Uint8Array
  /** What searchers clicked; left out where nobody did. */
  readonly clicks?: ClickFacts
}

/** What clicks tell of the answers to queries. */
export interface ClickFacts {
  /** By query: how far clicks are believed, from 0 to 1. */
  readonly trust: Float64Array
  /** By place of a result, as in `QueryAnswers`: its share of the query's clicks. */
  readonly shares: Float64Array
  /** By query: other known URLs, with their shares of its clicks. */
  readonly others: ReadonlyMap<number, ReadonlyMap<number, number>>
}

/** What impact-driven policies read: links, words, answers, and what earlier fetches taught. */
export interface AcquisitionFacts extends GraphFacts {
  readonly queries: readonly AskedQuery[]
  /** By the numbers of `queries`. */
  readonly answers: QueryAnswers
  /** What addresses and anchors say, for synthetic queries addresses alone; its queries have the numbers of `queries`. */
  readonly words: LinkWords
  /** By URL: the part of the site it lies in. */
  readonly sections: Uint32Array
  /** By URL: characters of its address. */
  readonly addressLengths: Uint16Array
  /** Fetches until there is a new plan. */
  readonly budget: number
  /** Where this is one bucket of a crawl: what is known of all of it. */
  readonly whole?: WholeCrawl
  /** Undefined while too little was fetched to learn from, and without a log. */
  readonly model: AcquisitionModel | undefined
  /** Where `queries` are synthetic: they tell what fetched pages are worth, but nobody asks them. */
  readonly withoutLog?: { readonly model: PageModel | undefined }
  /** The share of bids that is by these queries, where a small log is mixed with synthetic queries; 1 if left out. */
  readonly logShare?: number
}

/** What a bucket has to know of a crawl, so that it sees its own URLs as a crawl of one bucket would. */
export interface WholeCrawl {
  /** By URL: its PageRank, where the average has 1. */
  readonly ranks: Float64Array
  /** By URL: of equals the lower key goes first. */
  readonly ties: Uint32Array
  /** Pages fetched by all buckets. */
  readonly visits: number
}

/** What fetched pages taught about the worth of others, whatever is asked: plain data. */
export interface PageModel {
  /** Expected worth of a page to queries nobody has asked yet, per unit of their weight. */
  readonly pages: BoostedTrees
  /** Fetched pages that it was learnt from. */
  readonly pagesSeen: number
}

/** What fetched pages taught about pages that are not, with regard to queries too: plain data. */
export interface AcquisitionModel extends PageModel {
  /** Expected worth of a page to a query; learnt from two halves of the pages, to be averaged. */
  readonly pairs: readonly BoostedTrees[]
  readonly pairCalibrator: Calibrator
  /** Pairs worth something that it was learnt from. */
  readonly hitsSeen: number
}
