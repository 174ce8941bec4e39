import { describe, expect, test } from 'vitest'
import { pageRank } from '#importance/pagerank.ts'
import { bestFirst } from '#lab/selection/best-first.ts'
import { defaultScoring } from '#search/full-text/default-search.ts'
import { obeysThePolicyContract } from '../../policy-contract.test-kit.ts'
import { type PaperFacts, PaperLessons } from './paper-model.ts'
import { PAPER_POLICIES, paperPolicy } from './paper-policies.ts'
import { topicWeb } from './topic-web.test-kit.ts'

function learntFacts(name: string, seed: number, overrides: Partial<PaperFacts> = {}): PaperFacts {
  const { facts, index } = topicWeb(seed)
  const lessons = new PaperLessons(index, defaultScoring, PAPER_POLICIES[name].options.rule)
  return lessons.taught({ ...facts, ...overrides })
}

const gainsOf = (name: string, facts: PaperFacts, needyShare = 1) =>
  paperPolicy({ ...PAPER_POLICIES[name].options, needyShare })(facts).gains

describe.each(Object.keys(PAPER_POLICIES))('%s', (name) => {
  const policy = paperPolicy(PAPER_POLICIES[name].options)
  const { facts: early } = topicWeb(2, { pages: 30, fetched: 5 })
  obeysThePolicyContract(`${name} before it learnt`, policy, { ...early, paper: undefined })
  obeysThePolicyContract(`${name} after it learnt`, policy, learntFacts(name, 3))
  const byCurve = learntFacts(name, 4, { worth: 'gain' })
  obeysThePolicyContract(`${name} by gain curves`, policy, byCurve)
  const { facts: unasked } = topicWeb(5, { pages: 30, fetched: 20 })
  const answers = { ...unasked.answers, kept: new Uint32Array(0) }
  obeysThePolicyContract(`${name} when nobody asks anything`, policy, {
    ...unasked,
    queries: [],
    answers,
    paper: undefined,
  })
})

test('with sketches for more queries no page counts for less', () => {
  const facts = learntFacts('query-driven', 6)
  const [few, some, all] = [0.1, 0.4, 1].map((share) => gainsOf('query-driven', facts, share))
  expect(few.every((gain, i) => gain <= some[i] && some[i] <= all[i])).toBe(true)
  expect(Math.max(...few)).toBeGreaterThan(0)
  expect(few.reduce((a, b) => a + b)).toBeLessThan(all.reduce((a, b) => a + b))
})

test('query-independent goes by PageRank', () => {
  const facts = learntFacts('query-independent', 7)
  const bids = paperPolicy(PAPER_POLICIES['query-independent'].options)(facts)
  const ranks = Float32Array.from(pageRank(facts.links))
  const byRank = [...facts.candidates].sort((a, b) => ranks[b] - ranks[a] || a - b)
  expect([...bestFirst(bids)]).toEqual(byRank)
  expect(bids.why(0)).toMatch(/^its PageRank is [\d.]+ times the average$/)
})

test('hybrid-paper is nine parts query-driven and one part query-independent', () => {
  const facts = learntFacts('hybrid-paper', 8)
  const [hybrid, driven, independent] = ['hybrid-paper', 'query-driven', 'query-independent'].map(
    (name) => gainsOf(name, facts),
  )
  hybrid.forEach((gain, i) => {
    expect(gain).toBeCloseTo(0.9 * driven[i] + 0.1 * independent[i], 9)
  })
})

test('the best page is one that links call what is asked, and it says so', () => {
  const facts = learntFacts('query-driven', 9)
  const bids = paperPolicy(PAPER_POLICIES['query-driven'].options)(facts)
  const [first] = bestFirst(bids)
  const reason = bids.why(bids.urls.indexOf(first))
  const text = /^may answer "(.+?)"/.exec(reason)?.[1]
  expect(facts.words.strings(first).anchors.map((anchor) => anchor.text)).toContain(text)
  expect(reason).toContain(`: links say ${text}, expected score `)
})

test('it learns anew when a quarter more was fetched, not before', () => {
  const { facts, index } = topicWeb(10)
  const rule = PAPER_POLICIES.hybrid.options.rule
  const lessons = new PaperLessons(index, defaultScoring, rule)
  const visits = (count: number) => ({ ...facts, visits: facts.visits.slice(0, count) })
  expect(lessons.taught(visits(40)).paper).toBeUndefined()
  const first = lessons.taught(visits(80)).paper
  expect(first).toBeDefined()
  expect(lessons.taught(visits(99)).paper).toBe(first)
  expect(lessons.taught(visits(100)).paper).not.toBe(first)
})
