import type { MatchRule } from '#frontier/link-words/rule.ts'
import { mixHash } from '#numeric/hash.ts'
import type { Scoring } from '#search/full-text/scoring.ts'
import type { TextIndex } from '#search/full-text/text-index.ts'
import type { AcquisitionFacts } from '../../facts/acquisition-facts.ts'
import { type ExpectedScore, fitExpectedScore } from '../expected-score.ts'
import { matchedPairs } from '../matched-pairs.ts'
import { pageTraits } from '../page-traits.ts'
import { type HybridWeights, precisionWeights } from './hybrid.ts'
import { trialsOf } from './hybrid-trials.ts'

/** What fetched pages taught the paper's policies: plain data. */
export interface PaperModel {
  readonly score: ExpectedScore
  /** How far to trust each of the two estimates of impact. */
  readonly weights: HybridWeights
}

/** What the paper's policies read. */
export interface PaperFacts extends AcquisitionFacts {
  /** Undefined while too little was fetched to learn from. */
  readonly paper: PaperModel | undefined
}

/** Of more pages and queries than these, some are drawn. */
const MOST_PAGES = 20_000
const MOST_QUERIES = 1_000
/** With fewer fetched pages, or matches among them, there is nothing to learn. */
const LEAST_PAGES = 50
const LEAST_PAIRS = 50
/** The model is learnt anew when so many times as many pages were fetched. */
const RELEARN_AFTER = 1.25

/** The true scores of fetched pages for a query. */
export type ScoresOf = (query: number, urls: Uint32Array) => Float64Array

/** Learns from the pages fetched so far; undefined if they are too few. */
function learnPaper(
  facts: AcquisitionFacts,
  rule: MatchRule,
  scoresOf: ScoresOf,
): PaperModel | undefined {
  const { visits, queries, answers, hosts } = facts
  if (visits.length < LEAST_PAGES) return undefined
  const isDrawnPage = drawn(visits.length, MOST_PAGES)
  const urls = visits.filter((url) => isDrawnPage(url)).sort()
  const isDrawn = new Uint8Array(hosts.length)
  for (const url of urls) isDrawn[url] = 1
  const isDrawnQuery = drawn(queries.length, MOST_QUERIES)
  const asked = Uint32Array.from(queries.keys()).filter(
    (query) => isDrawnQuery(query) && answers.bounds[query] > 0,
  )
  const traits = pageTraits(facts)
  const pairs = matchedPairs(facts, traits, asked, isDrawn, rule)
  if (pairs.urls.length < LEAST_PAIRS) return undefined
  const scores = new Float64Array(pairs.urls.length)
  for (let start = 0; start < scores.length; ) {
    const query = pairs.queries[start]
    let end = start
    while (end < scores.length && pairs.queries[end] === query) end++
    const found = scoresOf(query, pairs.urls.subarray(start, end))
    for (let i = 0; i < found.length; i++) scores[start + i] = found[i] / answers.bounds[query]
    start = end
  }
  return {
    score: fitExpectedScore(pairs, scores, hosts),
    weights: precisionWeights(trialsOf(facts, traits.ranks, urls, asked, pairs, scores)),
  }
}

/** Keeps what was learnt in step with a crawl; learns anew as the number of fetched pages grows. */
export class PaperLessons {
  readonly #index: TextIndex
  readonly #scoring: Scoring
  readonly #rule: MatchRule
  #model: PaperModel | undefined
  #visitsAtLearning = 0

  constructor(index: TextIndex, scoring: Scoring, rule: MatchRule) {
    this.#index = index
    this.#scoring = scoring
    this.#rule = rule
  }

  /** The facts with what was learnt from them. */
  taught(facts: AcquisitionFacts): PaperFacts {
    const visits = facts.visits.length
    if (this.#model === undefined || visits >= RELEARN_AFTER * this.#visitsAtLearning) {
      this.#model = learnPaper(facts, this.#rule, this.#scoresOf(facts))
      this.#visitsAtLearning = visits
    }
    return { ...facts, paper: this.#model }
  }

  #scoresOf({ queries }: AcquisitionFacts): ScoresOf {
    const statistics = this.#index.statistics()
    return (query, urls) => {
      const prepared = this.#index.prepare(queries[query].text, this.#scoring, statistics)
      return Float64Array.from(urls, (url) => this.#index.scoreOf(url, prepared))
    }
  }
}

/** A test that about `most` of `count` numbers pass, always the same ones. */
function drawn(count: number, most: number): (number: number) => boolean {
  const limit = (most / Math.max(most, count)) * 0x1_0000_0000
  return (number) => mixHash(0xd1a3, number) < limit
}
