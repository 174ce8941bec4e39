import { expect, test } from 'vitest'
import { matchesByCoverage, matchesByNgrams } from '#frontier/link-words/rule.ts'
import { pageRank } from '#importance/pagerank.ts'
import { bestFirst } from '#lab/selection/best-first.ts'
import { defaultScoring } from '#search/full-text/default-search.ts'
import { PRINTED_WEIGHTS } from './hybrid.ts'
import { learnPaper, type PaperFacts } from './paper-model.ts'
import { paperBids } from './paper-policies.ts'
import { topicWeb } from './topic-web.test-kit.ts'

const BY_QUERIES = { matches: 'by n-grams', weights: { query: 1, independent: 0 } } as const
const BY_IMPORTANCE = { matches: 'by n-grams', weights: { query: 0, independent: 1 } } as const
const PRINTED = { matches: 'by n-grams', weights: PRINTED_WEIGHTS } as const

function learntFacts(seed: number, rule = matchesByNgrams(1)): PaperFacts {
  const { facts, index } = topicWeb(seed)
  const statistics = index.statistics()
  const scoresOf = (query: number, urls: Uint32Array) => {
    const prepared = index.prepare(facts.queries[query].text, defaultScoring, statistics)
    return Float64Array.from(urls, (url) => index.scoreOf(url, prepared))
  }
  const settings = { needyShare: 1, progress: [], topK: 10, matchShare: 1 }
  return { ...facts, ...settings, paper: learnPaper(facts, rule, scoresOf, 10) }
}

test('with sketches for more queries no page counts for less', () => {
  const facts = learntFacts(6)
  const [few, some, all] = [0.1, 0.4, 1].map(
    (needyShare) => paperBids({ ...facts, needyShare }, BY_QUERIES).gains,
  )
  expect(few.every((gain, i) => gain <= some[i] && some[i] <= all[i])).toBe(true)
  expect(Math.max(...few)).toBeGreaterThan(0)
  expect(few.reduce((a, b) => a + b)).toBeLessThan(all.reduce((a, b) => a + b))
})

test('query-independent goes by PageRank', () => {
  const facts = learntFacts(7)
  const bids = paperBids(facts, BY_IMPORTANCE)
  const ranks = Float32Array.from(pageRank(facts.links))
  const byRank = [...facts.candidates].sort((a, b) => ranks[b] - ranks[a] || a - b)
  expect([...bestFirst(bids)]).toEqual(byRank)
  expect(bids.why(0)).toMatch(/^its PageRank is [\d.]+ times the average$/)
})

test('hybrid-paper is nine parts query-driven and one part query-independent', () => {
  const facts = learntFacts(8)
  const [hybrid, driven, independent] = [PRINTED, BY_QUERIES, BY_IMPORTANCE].map(
    (options) => paperBids(facts, options).gains,
  )
  hybrid.forEach((gain, i) => {
    expect(gain).toBeCloseTo(0.9 * driven[i] + 0.1 * independent[i], 9)
  })
})

test('the best page is one that links call what is asked, and it says so', () => {
  const facts = learntFacts(9)
  const bids = paperBids(facts, BY_QUERIES)
  const [first] = bestFirst(bids)
  const reason = bids.why(bids.urls.indexOf(first))
  const text = /^may answer "(.+?)"/.exec(reason)?.[1]
  expect(facts.words.strings(first).anchors.map((anchor) => anchor.text)).toContain(text)
  expect(reason).toContain(`: links say ${text}, expected score `)
})

test('weights by precision are those that fetched pages taught, and as printed before', () => {
  const learnt = learntFacts(10, matchesByCoverage())
  const { weights } = learnt.paper!
  expect(weights).not.toEqual(PRINTED_WEIGHTS)
  const gainsOf = (facts: PaperFacts, some: typeof weights | 'precision') =>
    paperBids(facts, { matches: 'by coverage', weights: some }).gains
  expect(gainsOf(learnt, 'precision')).toEqual(gainsOf(learnt, weights))
  const early = { ...learnt, paper: undefined }
  expect(gainsOf(early, 'precision')).toEqual(gainsOf(early, PRINTED_WEIGHTS))
})
