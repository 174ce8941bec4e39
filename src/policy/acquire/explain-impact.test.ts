import { expect, test } from 'vitest'
import { rowOf } from '#numeric/csr.ts'
import { defaultScoring } from '#search/full-text/default-search.ts'
import { COUNTED_RESULTS } from '../facts/query-answers.ts'
import { candidateValues } from './candidate-values.ts'
import { explainCandidate, reasonFor, SCORE_RULE } from './explain-impact.ts'
import { impact } from './impact.ts'
import { learnAcquisition } from './learn-acquisition.ts'
import { SaidWords } from './pairs/matched-words.ts'
import { learnPaper } from './paper/paper-model.ts'
import { topicWeb } from './paper/topic-web.test-kit.ts'
import { queryDemandsFor } from './query-demand.ts'
import { topTenChance } from './top-ten-chance.ts'

const { facts: unlearnt, index } = topicWeb(4, { pages: 300, fetched: 200 })
const facts = { ...unlearnt, model: learnAcquisition(unlearnt) }
const values = candidateValues(facts)
const chance = topTenChance(facts)
const paper = learnPaper(
  facts,
  SCORE_RULE,
  (query, urls) => {
    const prepared = index.prepare(facts.queries[query].text, defaultScoring, index.statistics())
    return Float64Array.from(urls, (url) => index.scoreOf(url, prepared))
  },
  10,
)
const addressOf = (url: number) => `page ${url}`
const explained = Array.from(facts.candidates, (url) => ({
  url,
  ...explainCandidate(values, url, { chance, score: paper?.score }, addressOf),
}))
const wanted = explained.filter(({ queries }) => queries.length > 0)

test('the parts of a gain add up to the bid that is made when nothing else is fetched', () => {
  const { gains } = impact({ ...facts, budget: 0 })
  explained.forEach(({ alone, unasked, queries }, i) => {
    expect(alone).toBeCloseTo(gains[i], 9)
    const asked = queries.reduce((sum, { gain }) => sum + gain, 0)
    expect(unasked + asked).toBeCloseTo(alone, 9)
  })
  expect(wanted.length).toBeGreaterThan(20)
  expect(wanted.every(({ unasked, alone }) => unasked < alone)).toBe(true)
})

test('results now, and what would go, are those that search gives', () => {
  for (const { queries } of wanted)
    for (const { query: text, best, displaces, results } of queries) {
      const found = index.search(index.prepare(text, defaultScoring), 200)
      expect(results).toBe(Math.min(found.length, COUNTED_RESULTS))
      const shown = (rank: number) => {
        const { url, score } = found[rank - 1]
        return { url: addressOf(url), score, rank }
      }
      expect(best).toEqual(found.length > 0 ? shown(1) : undefined)
      expect(displaces).toEqual(found.length >= 10 ? shown(10) : undefined)
    }
})

test('a predicted rank is where search would put that score', () => {
  const predicted = wanted.flatMap(({ queries }) => queries.filter((query) => query.predicted))
  expect(predicted.length).toBeGreaterThan(20)
  for (const { query: text, predicted: forecast } of predicted) {
    const found = index.search(index.prepare(text, defaultScoring), 31)
    expect(forecast!.rank).toBe(1 + found.filter(({ score }) => score >= forecast!.score).length)
  }
})

test('results that link to the page are named with their ranks', () => {
  let named = 0
  for (const { queries, url } of wanted)
    for (const { query: text, linkedFrom } of queries) {
      const found = index.search(index.prepare(text, defaultScoring), 31)
      const linking = found.flatMap(({ url: source, score }, i) =>
        rowOf(facts.links, source).includes(url)
          ? [{ url: addressOf(source), score, rank: i + 1 }]
          : [],
      )
      expect(linkedFrom).toEqual(linking)
      named += linking.length
    }
  expect(named).toBeGreaterThan(5)
})

test('rivals are the other candidates that the same queries want, none left out', () => {
  for (const { url, rivals } of wanted.slice(0, 20)) {
    const queries = new Set(queryDemandsFor(values, url).map(({ query }) => query))
    const others = facts.candidates.filter(
      (other) =>
        other !== url && queryDemandsFor(values, other).some(({ query }) => queries.has(query)),
    )
    expect(rivals.map((rival) => rival.url).sort((a, b) => a - b)).toEqual([...others])
  }
})

test('the more a query expects of a page, the likelier it comes among the first ten', () => {
  const chances = [0, 0.05, 0.2, 0.5, 1, 2].map(chance)
  expect(chances).toEqual(chances.toSorted((a, b) => a - b))
  expect(chances[0]).toBeGreaterThanOrEqual(0)
  expect(chances.at(-1)).toBeLessThanOrEqual(1)
  expect(chances[4]).toBeGreaterThan(chances[0])
})

test('a reason in a line has the query, what is expected, and the words that say so', () => {
  const { url, queries } = wanted.find((one) => one.queries[0].matched.anchors.length === 2)!
  const [{ query: text, expected, matched }] = queries
  const reason = reasonFor(values, url)
  expect(reason).toContain(`may answer "${text}"`)
  expect(reason).toContain(`worth ${Math.round(100 * expected)} % of a usual top-ten result`)
  expect(reason).toContain(`links say ${matched.anchors.join(' ')}`)
})

test('words of a query are found in another form, function words do not count', () => {
  const said = new SaidWords({
    address: 'https://a.example/otters/feeding',
    addressWords: ['otter', 'feed'],
    anchors: [{ text: 'Caring for an otter', links: 1, sources: 1 }],
  })
  expect(said.matching('how to care for otters in winter')).toEqual({
    address: ['otters'],
    anchors: ['care', 'otters'],
    missing: ['winter'],
  })
})
