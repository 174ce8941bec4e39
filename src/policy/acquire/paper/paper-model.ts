import type { MatchRule } from '#frontier/link-words/rule.ts'
import { sampleOf } from '#numeric/hash.ts'
import type { AcquisitionFacts } from '../../facts/acquisition-facts.ts'
import type { QueryFacts } from '../../facts/query-facts.ts'
import { type ExpectedScore, fitExpectedScore } from '../pairs/expected-score.ts'
import { matchedPairs } from '../pairs/matched-pairs.ts'
import { pageTraits } from '../pairs/page-traits.ts'
import { type HybridWeights, precisionWeights } from './hybrid.ts'
import { trialsOf } from './hybrid-trials.ts'

/** What fetched pages taught the paper's policies: plain data. */
interface PaperModel {
  readonly score: ExpectedScore
  /** How far to trust each of the two estimates of impact. */
  readonly weights: HybridWeights
}

/** What the paper's policies read. */
export interface PaperFacts
  extends AcquisitionFacts,
    Pick<QueryFacts, 'needyShare' | 'progress' | 'topK' | 'matchShare'> {
  /** Undefined while too little was fetched to learn from. */
  readonly paper: PaperModel | undefined
}

/** Of more pages and queries than these, some are sampled. */
const MOST_PAGES = 20_000
const MOST_QUERIES = 1_000
const SEED = 0xd1a3
/** With fewer fetched pages, or matches among them, there is nothing to learn. */
const LEAST_PAGES = 50
const LEAST_PAIRS = 50

/** Learns from the pages fetched so far; undefined if they are too few. */
export function learnPaper(
  facts: AcquisitionFacts,
  rule: MatchRule,
  scoresOf: QueryFacts['scoresOf'],
  topK: number,
): PaperModel | undefined {
  const { visits, queries, answers, hosts } = facts
  if (visits.length < LEAST_PAGES) return undefined
  const isDrawnPage = sampleOf(SEED, visits.length, MOST_PAGES)
  const urls = visits.filter((url) => isDrawnPage(url)).sort()
  const isDrawn = new Uint8Array(hosts.length)
  for (const url of urls) isDrawn[url] = 1
  const isDrawnQuery = sampleOf(SEED, queries.length, MOST_QUERIES)
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
    weights: precisionWeights(trialsOf(facts, traits.ranks, urls, asked, pairs, scores, topK)),
  }
}
