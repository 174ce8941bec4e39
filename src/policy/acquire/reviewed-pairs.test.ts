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

test('between reviews queries are not asked about the same pages again, and expect less of them by what was chosen', () => {
  const { before, gone, after, facts } = reviewedCrawl(1)
  const [kept, now] = [byPair(before), byPair(after)]
  const taken = new Float64Array(QUERIES.length)
  before.urls.forEach((url, row) => {
    if (gone.has(url)) taken[before.queries[row]] += before.expected[row]
  })
  expect(Math.max(...taken)).toBeGreaterThan(0)
  const candidates = new Set(facts.candidates)
  for (const [pair, value] of kept) {
    const [query, url] = pair.split(' ').map(Number)
    if (candidates.has(url)) expect(now.get(pair)).toBeCloseTo((value * 10) / (10 + taken[query]))
    else expect(now.has(pair)).toBe(false)
  }
})

test('pages found since are looked at like all in a review, by answers of that time', () => {
  const { before, survey, after } = reviewedCrawl(9)
  const known = new Set(before.urls)
  const anew = byPair(expectedPairs(survey, survey.isSurveyed))
  const found = [...byPair(after)].filter(([pair]) => !known.has(Number(pair.split(' ')[1])))
  expect(found.length).toBeGreaterThan(0)
  for (const [pair, value] of found) {
    expect(value).toBeGreaterThan(0)
    expect(value).toBeLessThanOrEqual(anew.get(pair)!)
  }
})

test('as answers are those of the review, so are the pages that count as fetched', () => {
  expect(reviewedCrawl(9).facts.visits).toHaveLength(40)
  expect(reviewedCrawl(10).facts.visits).toHaveLength(50)
})
