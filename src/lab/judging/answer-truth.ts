import { RecordedRobots } from '#archive/recorded-robots.ts'
import type { RecordedWeb } from '#archive/recorded-web.ts'
import { canonicalUrl } from '#parse/url/canonical-url.ts'
import { defaultAnalyser, defaultScoring } from '#search/full-text/default-search.ts'
import type { Scoring } from '#search/full-text/scoring.ts'
import { powerVisibility, type Visibility } from '#search/gain/visibility.ts'
import type { Query } from '#workload/workload.ts'
import { impactOfPages } from '../metrics/impact.ts'
import { indexArchive } from './archive-index.ts'

/** A query's answers among all pages: results fall in score, of equal ones the lower page first. */
interface Answers {
  readonly pages: Uint32Array
  readonly scores: Float64Array
}

/**
 * What a crawl that had fetched everything would answer to each query of a workload. Pages are the
 * archive's numbers; the page a fetch of a URL gives is `pageAt(url)`. Weights are given by query, so
 * that samples of one workload share the answers.
 */
export class AnswerTruth {
  readonly web: RecordedWeb
  readonly queries: readonly Query[]
  readonly scoring: Scoring
  /** Pages a crawl could fetch now, ascending. */
  readonly pages: Uint32Array
  readonly #answers: readonly Answers[]
  readonly #visibility: Float64Array
  /** By query: what its answers are worth when everything is held. */
  readonly #ideals: Float64Array

  constructor(web: RecordedWeb, queries: readonly Query[], scoring: Scoring = defaultScoring) {
    this.web = web
    this.queries = queries
    this.scoring = scoring
    this.pages = fetchablePages(web)
    const index = indexArchive(web.archive, web.snapshot, defaultAnalyser)
    this.#answers = queries.map(({ text }) => {
      const results = index.best(index.prepare(text, scoring), index.size).sorted()
      return {
        pages: Uint32Array.from(results, ({ url }) => url),
        scores: Float64Array.from(results, ({ score }) => score),
      }
    })
    this.#visibility = Float64Array.from({ length: index.size + 1 }, (_, i) =>
      powerVisibility(i + 1),
    )
    const everything = new Uint8Array(this.pageCount).fill(1)
    this.#ideals = Float64Array.from(this.#answers, (answers) =>
      this.#visibleScore(answers, everything),
    )
  }

  get pageCount(): number {
    return this.web.archive.pageCount
  }

  /** The canonical URL of a page that can be fetched. */
  urlOf(page: number): string {
    return canonicalUrl(this.web.archive.urlOf(page))!
  }

  /** The page that a fetch of the URL gives, if it gives one. */
  pageAt(url: string): number | undefined {
    const place = this.web.find(url)
    return place.kind === 'page' ? place.page : undefined
  }

  /** What a query finds when everything is held, best first. */
  answersOf(query: number): Answers {
    return this.#answers[query]
  }

  /** How often searchers see each page when everything is held, by page. */
  impacts(weights: Float64Array, visibility: Visibility): Float64Array {
    const ranked = this.#answers.map(({ pages }, query) => ({
      weight: weights[query],
      results: pages,
    }))
    const asked = ranked.filter(({ weight }) => weight > 0)
    return impactOfPages(asked, visibility, this.pageCount)
  }

  /** How much of the quality that everything has each page brings, by page: what is seen times its score. */
  contributions(weights: Float64Array): Float64Array {
    const sums = new Float64Array(this.pageCount)
    this.#answers.forEach(({ pages, scores }, query) => {
      if (weights[query] === 0) return
      for (let i = 0; i < pages.length; i++)
        sums[pages[i]] += weights[query] * this.#visibility[i] * scores[i]
    })
    return sums
  }

  /** What answers would lose without each page when everything is held, by page: score × visibility a search. */
  gains(weights: Float64Array): Float64Array {
    const total = weights.reduce((sum, weight) => sum + weight, 0)
    const sums = new Float64Array(this.pageCount)
    this.#answers.forEach(({ pages, scores }, query) => {
      // Without the result of rank r, those below it move up by one.
      let gain = 0
      for (let i = weights[query] === 0 ? -1 : pages.length - 1; i >= 0; i--) {
        gain += this.#visibility[i] * (scores[i] - (scores[i + 1] ?? 0))
        sums[pages[i]] += (weights[query] / total) * gain
      }
    })
    return sums
  }

  /**
   * Quality of the answers from the pages held, each with the score it has when everything is held:
   * what is missing is due to pages not fetched, and to nothing else. Undefined if nothing is asked.
   *
   * @paper PandeyOlston2005 §3.2 Eq. 5 — of copies that are all current.
   */
  quality(weights: Float64Array, isHeld: Uint8Array): number | undefined {
    let earned = 0
    let ideal = 0
    for (let query = 0; query < weights.length; query++) {
      if (weights[query] === 0) continue
      earned += weights[query] * this.#visibleScore(this.#answers[query], isHeld)
      ideal += weights[query] * this.#ideals[query]
    }
    return ideal > 0 ? earned / ideal : undefined
  }

  #visibleScore({ pages, scores }: Answers, isHeld: Uint8Array): number {
    const visibility = this.#visibility
    let sum = 0
    let rank = 0
    for (let i = 0; i < pages.length; i++)
      if (isHeld[pages[i]] === 1) sum += visibility[rank++] * scores[i]
    return sum
  }
}

/** Pages that answer at their own address and that robots.txt allows. */
function fetchablePages(web: RecordedWeb): Uint32Array {
  const robots = new RecordedRobots(web)
  return web.archive.livePages(web.snapshot).filter((page) => {
    const url = canonicalUrl(web.archive.urlOf(page))
    const place = url === undefined ? undefined : web.find(url)
    if (place?.kind !== 'page' || place.page !== page) return false
    return robots.verdictOn(url!).allowed
  })
}
