import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Frontier } from '#frontier/frontier.ts'
import { Lessons } from '#learn/lessons.ts'
import type { AcquisitionFacts } from '../facts/acquisition-facts.ts'
import { AddressShapes } from '../facts/address-shapes.ts'
import { crawlFacts } from '../facts/crawl-facts.ts'
import { QueryKnowledge } from '../facts/query-knowledge.ts'
import { QUERIES, smallCrawl } from '../facts/small-crawl.test-kit.ts'
import { expectedPairs } from './expected-pairs.ts'
import { acquisitionFacts, impact } from './impact.ts'
import type { ExpectedPairs } from './page-value.ts'
import { reviewedPairs } from './reviewed-pairs.ts'
import { surveyOf } from './survey.ts'

/** What `impact` goes by when so many fetches were made. */
function factsAfter(fetches: number, asked: QueryKnowledge, frontier: Frontier): AcquisitionFacts {
  const source = { lessons: new Lessons(frontier), shapes: new AddressShapes(frontier.urls) }
  const moment = { now: 9, seed: 1, budget: 5, candidates: frontier.unfetched(9) }
  const facts = crawlFacts(source, { ...moment, mayRefetch: () => true })
  return acquisitionFacts(facts, asked.facts({ visits: facts.visits, fetches, now: 9 }))
}

const surveyNow = (facts: AcquisitionFacts) => surveyOf(facts, facts.candidates)

/** By query and URL. */
function byPair({ queries, urls, expected }: ExpectedPairs): Map<string, number> {
  return new Map(Array.from(expected, (value, row) => [`${queries[row]} ${urls[row]}`, value]))
}

test('at a review, what was kept makes no difference, whatever was fetched and planned before', () => {
  const steps = fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 8 })
  fc.assert(
    fc.property(steps, (batches) => {
      const { frontier, index, fetch } = smallCrawl()
      const kept = new QueryKnowledge(frontier, index, QUERIES)
      let [pages, reviewed] = [0, 0]
      for (const batch of batches) {
        for (let i = 0; i < batch && pages < 49; i++) fetch(pages++) // too few to learn from
        const bids = impact(factsAfter(pages, kept, frontier))
        if (pages - reviewed < reviewed / 4) continue
        reviewed = pages
        const fresh = new QueryKnowledge(frontier, index, QUERIES)
        expect(bids.gains).toEqual(impact(factsAfter(pages, fresh, frontier)).gains)
      }
    }),
  )
})

/** A crawl of 40 pages that was looked over, and went on for so many fetches. */
function reviewedCrawl(more: number) {
  const { frontier, index, fetch } = smallCrawl()
  for (let page = 0; page < 40; page++) fetch(page)
  const asked = new QueryKnowledge(frontier, index, QUERIES)
  const before = reviewedPairs(surveyNow(factsAfter(40, asked, frontier)))
  const gone = Array.from({ length: more }, (_, i) => fetch(40 + i))
  const facts = factsAfter(40 + more, asked, frontier)
  const survey = surveyNow(facts)
  return { before, gone: new Set(gone), facts, survey, after: reviewedPairs(survey) }
}

/** Of the queries, the last three make two thirds of the searches. */
const isAskedMost = (pair: string) => Number(pair.split(' ')[0]) >= 3
const urlOf = (pair: string) => Number(pair.split(' ')[1])

test('between reviews most queries are not asked about the same pages again, and expect less of them by what was chosen', () => {
  const { before, gone, after, facts } = reviewedCrawl(1)
  const now = byPair(after)
  const taken = new Float64Array(QUERIES.length)
  before.urls.forEach((url, row) => {
    if (gone.has(url)) taken[before.queries[row]] += before.expected[row]
  })
  const candidates = new Set(facts.candidates)
  const others = [...byPair(before)].filter(([pair]) => !isAskedMost(pair))
  const kept = others.filter(([pair]) => candidates.has(urlOf(pair)))
  expect(kept.length).toBeGreaterThan(0)
  for (const [pair, value] of kept) {
    const query = Number(pair.split(' ')[0])
    expect(now.get(pair)).toBeCloseTo((value * 10) / (10 + taken[query]), 9)
  }
  for (const pair of now.keys()) expect(candidates.has(urlOf(pair))).toBe(true)
})

test('pages found since are looked at like all in a review', () => {
  const { before, survey, after } = reviewedCrawl(2)
  const known = new Set(before.urls)
  const anew = byPair(expectedPairs(survey, survey.isSurveyed))
  const isNew = ([pair]: [string, number]) => !known.has(urlOf(pair)) && !isAskedMost(pair)
  const found = [...byPair(after)].filter(isNew)
  expect(found.map(([pair]) => pair)).toEqual([...anew].filter(isNew).map(([pair]) => pair))
  expect(found.length).toBeGreaterThan(0)
  for (const [pair, value] of found) expect(value).toBeLessThanOrEqual(anew.get(pair)!)
})

test('queries that are asked most are looked at in every plan, as they are answered now', () => {
  const { survey, facts, after } = reviewedCrawl(9)
  expect(facts.review!.renewed).toEqual([3, 4, 5])
  const asked = [...byPair(after)].filter(([pair]) => isAskedMost(pair))
  const anew = byPair(expectedPairs(survey, survey.isSurveyed, [3, 4, 5]))
  expect(asked.length).toBeGreaterThan(0)
  expect(asked).toEqual([...anew])
})

test('what was found for queries asked most stands in place of what there was, and other answers stay', () => {
  const { before, facts } = {
    before: reviewedCrawl(0).facts.answers,
    facts: reviewedCrawl(9).facts,
  }
  const { depth } = before
  const resultsOf = (answers: typeof before, query: number) =>
    [...answers.urls.subarray(query * depth, query * depth + answers.kept[query])].sort()
  const grew = QUERIES.map((_, query) => facts.answers.kept[query] > before.kept[query])
  expect(grew.slice(0, 3)).toEqual([false, false, false])
  expect(grew.slice(3)).toContain(true)
  for (const query of [0, 1, 2])
    expect(resultsOf(facts.answers, query)).toEqual(resultsOf(before, query))
})

test('as answers are those of the review, so are the pages that count as fetched', () => {
  expect(reviewedCrawl(9).facts.visits).toHaveLength(40)
  expect(reviewedCrawl(10).facts.visits).toHaveLength(50)
})
