import { expect, test } from 'vitest'
import type { Frontier } from '#frontier/frontier.ts'
import { Lessons } from '#learn/lessons.ts'
import { acquisitionFacts, impact } from '../acquire/impact.ts'
import { AddressShapes, sectionOf } from './address-shapes.ts'
import { crawlFacts } from './crawl-facts.ts'
import { isReviewDue, mostAsked, QueryKnowledge } from './query-knowledge.ts'
import { QUERIES, smallCrawl } from './small-crawl.test-kit.ts'

/** A crawl that has come so far. */
const came = (visits: number, fetches = visits, now = 9) => ({
  visits: new Uint32Array(visits),
  fetches,
  now,
})

test('queries are looked at anew when the crawl has grown by a quarter', () => {
  expect(isReviewDue(came(400), came(499))).toBe(false)
  expect(isReviewDue(came(400), came(500))).toBe(true)
})

test('fetches of pages that are held count as well, as their answers may be others', () => {
  expect(isReviewDue(came(400, 1_000), came(400, 1_099))).toBe(false)
  expect(isReviewDue(came(400, 1_000), came(400, 1_100))).toBe(true)
})

test('a large crawl does not wait for a quarter, nor a slow one longer than a day', () => {
  expect(isReviewDue(came(1_000_000), came(1_009_999))).toBe(false)
  expect(isReviewDue(came(1_000_000), came(1_010_000))).toBe(true)
  expect(isReviewDue(came(400), came(401, 401, 9 + 86_399))).toBe(false)
  expect(isReviewDue(came(400), came(401, 401, 9 + 86_400))).toBe(true)
})

test('before anything was fetched every plan looks', () => {
  expect(isReviewDue(came(0), came(0))).toBe(true)
})

test('those asked most are the fewest that make two thirds of the searches', () => {
  const asked = (...weights: number[]) => mostAsked(weights.map((weight) => ({ weight })))
  expect(asked(1, 6, 2, 3)).toEqual([1, 3]) // nine of twelve; six would be too few
  expect(asked(6, 1, 1, 1)).toEqual([0])
  expect(asked(1, 1, 1)).toEqual([0, 1])
  expect(asked()).toEqual([])
})

/** What `impact` goes by now. */
function factsBy(asked: QueryKnowledge, frontier: Frontier) {
  const source = { lessons: new Lessons(frontier), shapes: new AddressShapes(frontier.urls) }
  const moment = { now: 9, seed: 1, budget: 5, candidates: frontier.unfetched(9) }
  const facts = crawlFacts(source, { ...moment, mayRefetch: () => true })
  return acquisitionFacts(facts, asked.facts(after(facts.visits.length, facts.visits)))
}

/** A crawl that has made so many fetches, none of them twice. */
function after(fetches: number, visits: Uint32Array = new Uint32Array(fetches)) {
  return { visits, fetches, now: 9 }
}

/** A crawl of so many pages. */
function crawlOf(pages: number) {
  const { frontier, index, fetch } = smallCrawl()
  for (let page = 0; page < pages; page++) fetch(page)
  return { frontier, index, fetch }
}

test('kept up page by page, it knows what one made afterwards knows', () => {
  const { frontier, index, fetch } = crawlOf(0)
  const kept = new QueryKnowledge(frontier, index, QUERIES)
  for (let page = 0; page < 40; page++) {
    fetch(page)
    if (page % 7 === 0) kept.takeUpLinks()
  }
  const fresh = new QueryKnowledge(frontier, index, QUERIES)
  const [one, other] = [kept, fresh].map((asked) => impact(factsBy(asked, frontier)))
  expect(one.urls).toEqual(other.urls)
  expect(one.gains).toEqual(other.gains)
})

test('models are learnt again at the first review after half as much again was fetched', () => {
  const { frontier, index, fetch } = crawlOf(100)
  const asked = new QueryKnowledge(frontier, index, QUERIES)
  const { model } = factsBy(asked, frontier)
  expect(model).toBeDefined()
  let fetched = 100
  const modelAfter = (pages: number) => {
    while (fetched < pages) fetch(fetched++)
    return factsBy(asked, frontier).model
  }
  expect(modelAfter(149)).toBe(model) // a review
  expect(modelAfter(186)).toBe(model)
  expect(modelAfter(187)).not.toBe(model)
})

test('a model that too few pages taught is tried again when the crawl has grown, or at every plan', () => {
  const { frontier, index } = crawlOf(1)
  const models = (visits: number) => asked.facts(after(visits)).models
  const asked = new QueryKnowledge(frontier, index, QUERIES)
  const tries = (name: string, retry: 'when grown' | 'always') =>
    [100, 110, 150].map((visits) => {
      let tried = false
      const learn = () => {
        tried = true
        return undefined
      }
      models(visits).of(name, learn, retry)
      return tried
    })
  expect(tries('one', 'when grown')).toEqual([true, false, true])
  expect(tries('other', 'always')).toEqual([true, true, true])
})

test('queries without a sketch are learnt from, and no page is sought for them', () => {
  const { frontier, index } = crawlOf(100)
  const [one, ...lessons] = QUERIES
  const alone = factsBy(new QueryKnowledge(frontier, index, [one]), frontier)
  const taught = factsBy(new QueryKnowledge(frontier, index, [one], { lessons }), frontier)
  const whole = factsBy(new QueryKnowledge(frontier, index, QUERIES), frontier)
  expect(taught.queries).toEqual([one])
  expect(taught.answers).toEqual(alone.answers)
  expect(taught.model).toEqual(whole.model)
  expect(taught.model).not.toEqual(alone.model)
})

test('other queries can be served from the next plan on', () => {
  const { frontier, index } = crawlOf(10)
  const asked = new QueryKnowledge(frontier, index, QUERIES)
  asked.setQueries([
    { text: 'sea otter', weight: 1 },
    { text: 'kite', weight: 0 },
  ])
  const facts = asked.facts(after(10))
  expect(facts.queries.map(({ text }) => text)).toEqual(['sea otter'])
  expect(facts.answers.kept).toHaveLength(1)
})

test('from synthetic queries it learns what pages are worth, and reads no anchor texts', () => {
  const { frontier, index } = crawlOf(100)
  const withLog = factsBy(new QueryKnowledge(frontier, index, QUERIES), frontier)
  const synthetic = new QueryKnowledge(frontier, index, QUERIES, { isSynthetic: true })
  const { model, withoutLog, answers, words } = factsBy(synthetic, frontier)
  expect(model).toBeUndefined()
  expect(withoutLog!.model!.pagesSeen).toBe(withLog.model!.pagesSeen)
  expect({ ...answers, resultCounts: [] }).toEqual({ ...withLog.answers, resultCounts: [] })
  const said = (some: typeof words) =>
    withLog.candidates.find((url) => some.strings(url).anchors.length > 0)
  expect(said(withLog.words)).toBeDefined()
  expect(said(words)).toBeUndefined()
})

test('a section is the folder of a page, whatever is asked of it', () => {
  expect(sectionOf('https://a.org/x/y.html')).toBe('https://a.org/x/')
  expect(sectionOf('https://a.org/x/?page=2/3')).toBe('https://a.org/')
  expect(sectionOf('https://a.org/x/#top')).toBe('https://a.org/')
})

test('what fetching did for queries is told from plan to plan', () => {
  const { frontier, index, fetch } = smallCrawl()
  const asked = new QueryKnowledge(frontier, index, [{ text: 'sea otter', weight: 1 }], { topK: 2 })
  for (let page = 0; page < 4; page++) fetch(page) // of these one is about otters, a red one
  expect(asked.facts(after(4)).progress).toEqual([])
  for (let page = 4; page < 6; page++) fetch(page) // otter food, which comes third, and the sea otter
  const [first] = asked.facts(after(6)).progress
  expect(first.newResults).toBe(1)
  expect(asked.facts(after(6)).progress.map(({ newResults }) => newResults)).toEqual([1, 0])
})

test('as many results are kept as searchers look at, and one more', () => {
  const { frontier, index, fetch } = smallCrawl()
  for (let page = 0; page < 120; page++) fetch(page)
  const depthOf = (topK?: number) => {
    const { answers } = new QueryKnowledge(frontier, index, [{ text: 'kite', weight: 1 }], { topK }).facts(after(120)) // biome-ignore format: one line
    return [answers.depth, answers.kept[0]]
  }
  expect(depthOf()).toEqual([31, 31])
  expect(depthOf(40)).toEqual([41, 41])
})
