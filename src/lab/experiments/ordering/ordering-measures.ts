import { powerVisibility, topVisibility } from '#search/gain/visibility.ts'
import type { Judgment } from '#workload/workload.ts'
import type { AnswerTruth } from '../../judging/answer-truth.ts'
import type { QuerySplit } from '../../judging/query-split.ts'
import { type JudgedQueries, prepareJudgments } from '../../metrics/max-ndcg.ts'

/** What a crawl is worth to the test queries. */
export interface OrderingMeasure {
  /** Of the impact of the pages not crawled at the start, the share that is fetched; 0 if they have none. */
  readonly impact: number
  /** The same where searchers see rank r with r^-1.5, not the first K ranks alone. */
  readonly visibleImpact: number
  /** Of all answers, by what is held; null if no query is answered. */
  readonly quality: number | null
  /** Null when none of the test queries is judged. */
  readonly maxNdcg: number | null
}

/** Judges what is fetched by the test queries of one split. */
export class OrderingMeasures {
  readonly #truth: AnswerTruth
  readonly #testWeights: Float64Array
  readonly #uncrawled: Uint32Array
  readonly #byTop: Float64Array
  readonly #byVisibility: Float64Array
  readonly #judged: JudgedQueries

  constructor(
    truth: AnswerTruth,
    judgments: readonly Judgment[],
    { testWeights }: QuerySplit,
    uncrawled: Uint32Array,
    k: number,
  ) {
    const tested = new Set(truth.queries.filter((_, i) => testWeights[i] > 0).map(({ id }) => id))
    this.#truth = truth
    this.#testWeights = testWeights
    this.#uncrawled = uncrawled
    this.#byTop = truth.impacts(testWeights, topVisibility(k))
    this.#byVisibility = truth.impacts(testWeights, powerVisibility)
    this.#judged = prepareJudgments(
      judgments.filter(({ queryId }) => tested.has(queryId)),
      (url) => truth.pageAt(url),
    )
  }

  /** What the pages held (1 in `isHeld`) are worth. */
  of(isHeld: Uint8Array): OrderingMeasure {
    return {
      impact: this.#shareOf(this.#byTop, isHeld),
      visibleImpact: this.#shareOf(this.#byVisibility, isHeld),
      quality: this.#truth.quality(this.#testWeights, isHeld) ?? null,
      maxNdcg: this.#judged.maxNdcgOf((page) => isHeld[page] === 1).mean ?? null,
    }
  }

  /** The top-K impact of a page, as a share of that of all pages not crawled at the start. */
  impactShares(): Float64Array {
    const total = this.#uncrawled.reduce((sum, page) => sum + this.#byTop[page], 0)
    return this.#byTop.map((impact) => (total > 0 ? impact / total : 0))
  }

  #shareOf(impacts: Float64Array, isHeld: Uint8Array): number {
    let fetched = 0
    let total = 0
    for (const page of this.#uncrawled) {
      total += impacts[page]
      if (isHeld[page] === 1) fetched += impacts[page]
    }
    return total > 0 ? fetched / total : 0
  }
}
