import { expect, test } from 'vitest'
import { defaultAnalyser, defaultScoring } from '#search/full-text/default-search.ts'
import { TextIndex } from '#search/full-text/text-index.ts'
import { answersOf } from '../facts/query-answers.ts'
import { gainsOf } from '../facts/worth.ts'
import { candidateValues } from './candidate-values.ts'
import { impact } from './impact.ts'
import { learnAcquisition, learnWithoutLog } from './learn-acquisition.ts'
import { queryWeights } from './page-value.ts'
import { topicWeb } from './paper/topic-web.test-kit.ts'
import { queryDemandsFor } from './query-demand.ts'

const { facts } = topicWeb(4, { pages: 300, fetched: 200 })
const learnt = { ...facts, model: learnAcquisition(facts) }
const unasked = { ...facts, withoutLog: { model: learnWithoutLog(facts) } }
const nothingKnown = { ...facts, withoutLog: { model: undefined } }

test.each(
  Object.entries({
    'without a model': facts,
    learnt,
    'without a log': unasked,
    'without a log or a model': nothingKnown,
    'with one page fetched': topicWeb(4, { pages: 60, fetched: 1 }).facts,
    'without queries': {
      ...facts,
      queries: [],
      answers: answersOf(new TextIndex(defaultAnalyser), [], defaultScoring),
    },
  }),
)('%s, every candidate gets one bid that is finite and at least 0', (_, some) => {
  const { urls, gains, why } = impact(some)
  expect(urls).toEqual(some.candidates)
  expect(gains.every((gain) => Number.isFinite(gain) && gain >= 0)).toBe(true)
  expect(why(0)).toMatch(/^\S.{2,}/)
})

test('a page that queries want is worth more than one nobody asks for', () => {
  const { urls, gains } = impact(learnt)
  const values = candidateValues(learnt)
  const wished = new Set(values.pairs.urls)
  const mean = (some: number[]) => some.reduce((sum, gain) => sum + gain, 0) / some.length
  const wanted = [...gains].filter((_, i) => wished.has(urls[i]))
  const others = [...gains].filter((_, i) => !wished.has(urls[i]))
  expect(mean(wanted)).toBeGreaterThan(others.length > 0 ? mean(others) : 0)
})

test('the reason names the query that wants the page most', () => {
  const { urls, why } = impact(learnt)
  const values = candidateValues(learnt)
  const i = urls.findIndex((url) => queryDemandsFor(values, url).length > 0)
  const [first] = queryDemandsFor(values, urls[i])
  expect(why(i)).toContain(`"${learnt.queries[first.query].text}"`)
})

test('bids are quality a search, however often queries are asked', () => {
  // A weight of at most 1 would tell that a query does not come again.
  const times = (factor: number) => learnt.queries.map((q) => ({ ...q, weight: factor * q.weight }))
  const [often, oftener] = [2, 20].map((factor) =>
    impact({ ...learnt, queries: times(factor), budget: 0 }),
  )
  oftener.gains.forEach((gain, i) => {
    expect(gain).toBeCloseTo(often.gains[i], 9)
  })
  const bids = impact({ ...learnt, budget: 0 })
  // Nothing can be worth more than the best score there is, and pages are worth about what others were.
  const most = Math.max(...facts.answers.bounds)
  expect(bids.gains.every((gain) => gain < most)).toBe(true)
  const mean = bids.gains.reduce((sum, gain) => sum + gain, 0) / bids.gains.length
  let realised = 0
  queryWeights(facts.queries, 1).forEach((weight, query) => {
    for (const gain of gainsOf(facts.answers, query)) realised += weight * gain
  })
  const meanOfFetched = realised / facts.visits.length
  expect(mean).toBeGreaterThan(meanOfFetched / 3)
  expect(mean).toBeLessThan(meanOfFetched * 3)
  const withoutLog = impact(unasked)
  const meanUnasked = withoutLog.gains.reduce((sum, gain) => sum + gain, 0) / mean
  expect(meanUnasked / withoutLog.gains.length).toBeGreaterThan(1 / 3)
  expect(meanUnasked / withoutLog.gains.length).toBeLessThan(3)
})

test('without a log no words are looked for, and no query is given as a reason', () => {
  const words = new Proxy(facts.words, {
    get: () => {
      throw new Error('nobody is to ask for words')
    },
  })
  const { why, gains } = impact({ ...unasked, words })
  expect(why(0)).toMatch(/^no query log: /)
  expect(new Set(gains).size).toBeGreaterThan(20)
})

test('without a log and with too little to learn from, the order is that of PageRank', () => {
  const { ranks } = candidateValues(nothingKnown).survey.traits
  const { urls, gains } = impact(nothingKnown)
  const order = [...urls.keys()].toSorted((a, b) => gains[b] - gains[a] || a - b)
  const byRank = [...urls.keys()].toSorted((a, b) => ranks[urls[b]] - ranks[urls[a]] || a - b)
  expect(order).toEqual(byRank)
})

test('a page is worth no more when others are fetched with it', () => {
  const alone = impact({ ...learnt, budget: 0 })
  const together = impact({ ...learnt, budget: learnt.candidates.length })
  together.gains.forEach((gain, i) => {
    expect(gain).toBeLessThanOrEqual(alone.gains[i])
  })
  expect(together.gains.some((gain, i) => gain < alone.gains[i])).toBe(true)
})
