import type { Judgment } from '#workload/workload.ts'

/** Gain of each grade, 0 bad … 4 perfect. */
export const GRADED_GAINS: readonly number[] = [0, 3, 7, 15, 31]
/** The alternative: a grade is its own gain. */
export const LINEAR_GAINS: readonly number[] = [0, 1, 2, 3, 4]

interface MaxNdcgByQuery {
  /** Over the queries counted, each with the same weight; undefined when there is none. */
  readonly mean: number | undefined
  /** In the order of `JudgedQueries.queryIds`. */
  readonly perQuery: Float64Array
}

interface MaxNdcgOptions {
  /** By grade. */
  readonly gains?: readonly number[]
  /** How many results a searcher looks at. */
  readonly cutoff?: number
}

/**
 * Judgments with URLs as numbers, to be asked about many sets of pages. `numberOf` gives undefined for
 * a URL that nobody knows: it still counts in the ideal, and no set holds it. A page judged more than
 * once for a query counts once, with its best grade.
 */
export function prepareJudgments(
  judgments: readonly Judgment[],
  numberOf: (url: string) => number | undefined,
  { gains = GRADED_GAINS, cutoff = 10 }: MaxNdcgOptions = {},
): JudgedQueries {
  const pagesByQuery = new Map<string, Map<number | string, number>>()
  for (const { queryId, url, grade } of judgments) {
    const gain = gains[grade]
    if (gain === undefined) throw new Error(`no gain is set for grade ${grade}, given to ${url}`)
    const pages = pagesByQuery.get(queryId) ?? new Map<number | string, number>()
    pagesByQuery.set(queryId, pages)
    const page = numberOf(url) ?? url
    pages.set(page, Math.max(gain, pages.get(page) ?? 0))
  }
  return new JudgedQueries(pagesByQuery, cutoff)
}

/**
 * For each query that something could answer, what its ideal answer is worth and which known pages
 * have a gain: query q has urls[offsets[q] .. offsets[q + 1]), their gains falling.
 */
export class JudgedQueries {
  /** The queries counted, in the order of their first judgments. */
  readonly queryIds: readonly string[]
  /** Queries left out because no judged page has a gain: nothing could answer them. */
  readonly dropped: number
  readonly #ideals: Float64Array
  readonly #offsets: Uint32Array
  readonly #urls: Uint32Array
  readonly #gains: Float64Array
  /** By rank from 0. The base of the logarithm cancels out. */
  readonly #discounts: Float64Array

  /** Gains by page for each query; a page is the number of its URL, or the URL if it has none. */
  constructor(
    pagesByQuery: ReadonlyMap<string, ReadonlyMap<number | string, number>>,
    cutoff: number,
  ) {
    const discounts = Float64Array.from({ length: cutoff }, (_, i) => Math.log2(2 + i))
    const queryIds: string[] = []
    const ideals: number[] = []
    const offsets = [0]
    const urls: number[] = []
    const gains: number[] = []
    for (const [queryId, pages] of pagesByQuery) {
      const ranked = [...pages].filter(([, gain]) => gain > 0).sort(([, a], [, b]) => b - a)
      if (ranked.length === 0 || cutoff === 0) continue
      queryIds.push(queryId)
      ideals.push(
        ranked.slice(0, cutoff).reduce((sum, [, gain], i) => sum + gain / discounts[i], 0),
      )
      for (const [page, gain] of ranked) {
        if (typeof page === 'string') continue
        urls.push(page)
        gains.push(gain)
      }
      offsets.push(urls.length)
    }
    this.queryIds = queryIds
    this.dropped = pagesByQuery.size - queryIds.length
    this.#ideals = Float64Array.from(ideals)
    this.#offsets = Uint32Array.from(offsets)
    this.#urls = Uint32Array.from(urls)
    this.#gains = Float64Array.from(gains)
    this.#discounts = discounts
  }

  /**
   * The best NDCG any ranking could reach on the pages held: for each query the judged pages held, best
   * first, against all judged pages, held or not.
   *
   * @paper FetterlyCraswellVinay2009 §2.3 and §3 — queries without a gain are dropped and counted.
   */
  maxNdcgOf(isHeld: (url: number) => boolean): MaxNdcgByQuery {
    const perQuery = new Float64Array(this.queryIds.length)
    let sum = 0
    for (let query = 0; query < perQuery.length; query++) {
      perQuery[query] = this.#bestGain(query, isHeld) / this.#ideals[query]
      sum += perQuery[query]
    }
    return { mean: perQuery.length > 0 ? sum / perQuery.length : undefined, perQuery }
  }

  /** Discounted gain of the pages held for a query, in their best order. */
  #bestGain(query: number, isHeld: (url: number) => boolean): number {
    const discounts = this.#discounts
    const end = this.#offsets[query + 1]
    let sum = 0
    let rank = 0
    for (let at = this.#offsets[query]; at < end && rank < discounts.length; at++)
      if (isHeld(this.#urls[at])) sum += this.#gains[at] / discounts[rank++]
    return sum
  }
}
