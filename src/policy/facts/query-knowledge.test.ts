import { expect, test } from 'vitest'
import { impact } from '../acquire/impact.ts'
import { Acquisition, sectionOf } from './query-knowledge.ts'
import { QUERIES, smallCrawl } from './small-crawl.test-kit.ts'

test('kept up page by page, it knows what one made afterwards knows', () => {
  const { frontier, index, fetch } = smallCrawl()
  const kept = new Acquisition(frontier, index, QUERIES)
  for (let page = 0; page < 40; page++) fetch(page)
  const fresh = new Acquisition(frontier, index, QUERIES)
  const [one, other] = [kept, fresh].map((acquisition) => impact(acquisition.facts(9, 1, 5)))
  expect(one.urls).toEqual(other.urls)
  expect(one.gains).toEqual(other.gains)
})

test('what was learnt elsewhere, and how queries are answered, may be told', () => {
  const { frontier, index, fetch } = smallCrawl()
  for (let page = 0; page < 100; page++) fetch(page)
  const { model, answers } = new Acquisition(frontier, index, QUERIES).facts(9, 1, 5)
  const told = new Acquisition(frontier, () => answers, QUERIES, { model })
  for (let page = 100; page < 200; page++) fetch(page)
  const facts = told.facts(9, 1, 5)
  expect(facts.model).toBe(model)
  expect(facts.answers).toBe(answers)
})

test('it learns again only when a quarter more was fetched', () => {
  const { frontier, index, fetch } = smallCrawl()
  for (let page = 0; page < 100; page++) fetch(page)
  const acquisition = new Acquisition(frontier, index, QUERIES)
  const { model } = acquisition.facts(9, 1, 5)
  expect(model).toBeDefined()
  for (let page = 100; page < 124; page++) fetch(page)
  expect(acquisition.facts(9, 1, 5).model).toBe(model)
  fetch(124)
  expect(acquisition.facts(9, 1, 5).model).not.toBe(model)
})

test('queries without a sketch are learnt from, and no page is sought for them', () => {
  const { frontier, index, fetch } = smallCrawl()
  for (let page = 0; page < 100; page++) fetch(page)
  const [one, ...lessons] = QUERIES
  const alone = new Acquisition(frontier, index, [one]).facts(9, 1, 5)
  const taught = new Acquisition(frontier, index, [one], { lessons }).facts(9, 1, 5)
  const whole = new Acquisition(frontier, index, QUERIES).facts(9, 1, 5)
  expect(taught.queries).toEqual([one])
  expect(taught.answers).toEqual(alone.answers)
  expect(taught.model).toEqual(whole.model)
  expect(taught.model).not.toEqual(alone.model)
})

test('other queries can be served from the next plan on', () => {
  const { frontier, index, fetch } = smallCrawl()
  for (let page = 0; page < 10; page++) fetch(page)
  const acquisition = new Acquisition(frontier, index, QUERIES, { learns: false })
  acquisition.setQueries([
    { text: 'sea otter', weight: 1 },
    { text: 'kite', weight: 0 },
  ])
  const facts = acquisition.facts(9, 1, 5)
  expect(facts.queries.map(({ text }) => text)).toEqual(['sea otter'])
  expect(facts.answers.kept).toHaveLength(1)
  expect(facts.model).toBeUndefined()
})

test('without a log it learns what pages are worth, and reads no anchor texts', () => {
  const { frontier, index, fetch } = smallCrawl()
  for (let page = 0; page < 100; page++) fetch(page)
  const withLog = new Acquisition(frontier, index, QUERIES).facts(9, 1, 5)
  const acquisition = new Acquisition(frontier, index, QUERIES, { withoutLog: true })
  const { model, withoutLog, answers, words } = acquisition.facts(9, 1, 5)
  expect(model).toBeUndefined()
  expect(withoutLog!.model!.pagesSeen).toBe(withLog.model!.pagesSeen)
  expect({ ...answers, resultCounts: [] }).toEqual({ ...withLog.answers, resultCounts: [] })
  const said = (some: typeof words) =>
    withLog.candidates.find((url) => some.strings(url).anchors.length > 0)
  expect(said(withLog.words)).toBeDefined()
  expect(said(words)).toBeUndefined()
})

test('whoever does not learn looks for words without a log too', () => {
  const { frontier, index, fetch } = smallCrawl()
  for (let page = 0; page < 100; page++) fetch(page)
  const options = { learns: false, withoutLog: true }
  const facts = new Acquisition(frontier, index, QUERIES, options).facts(9, 1, 5)
  expect(facts.withoutLog).toBeUndefined()
  expect([...facts.candidates].some((url) => facts.words.strings(url).anchors.length > 0)).toBe(
    true,
  )
})

test('a section is the folder of a page, whatever is asked of it', () => {
  expect(sectionOf('https://a.org/x/y.html')).toBe('https://a.org/x/')
  expect(sectionOf('https://a.org/x/?page=2/3')).toBe('https://a.org/')
  expect(sectionOf('https://a.org/x/#top')).toBe('https://a.org/')
})
