import { expect, test } from 'vitest'
import { defaultAnalyser } from '#search/full-text/default-search.ts'
import { TextIndex } from '#search/full-text/text-index.ts'
import { QueryTracker } from './track-queries.ts'

const page = (text: string) => ({ url: 'https://a.org/', title: text, text, anchors: [] })

/** An index of four pages under a meter that knows two queries. */
function measuredIndex() {
  const index = new TextIndex(defaultAnalyser)
  for (const [url, text] of ['whales', 'giant squid', 'whale song', 'tuna'].entries())
    index.replace(url, page(text))
  const queries = [
    { id: '1', text: 'whale', weight: 3 },
    { id: '2', text: 'squid', weight: 1 },
  ]
  const tracker = new QueryTracker(queries, index)
  const { meter } = tracker
  const visit = (url: number, text: string | undefined) => {
    meter.before(url)
    if (text === undefined) index.remove(url)
    else index.replace(url, page(text))
    meter.after(url)
  }
  return { index, meter, tracker, visit }
}

test('a page that answers queries is worth something, one that answers none is worth nothing', () => {
  const { meter, visit } = measuredIndex()
  meter.begin()
  visit(4, 'great whale')
  visit(5, 'great squid')
  visit(6, 'great auk')
  visit(3, 'tuna fish')
  meter.end()
  expect(meter.gainOf(4)).toBeGreaterThan(0)
  expect(meter.gainOf(5)).toBeGreaterThan(0)
  expect(meter.gainOf(6)).toBe(0)
  expect(meter.gainOf(3)).toBe(0)
  expect(meter.gainOf(99)).toBe(0)
})

test('a query’s only answer that goes leaves nobody worse off, one among others frees its rank', () => {
  const { meter, visit } = measuredIndex()
  meter.begin()
  visit(1, undefined)
  visit(0, undefined)
  visit(2, 'whale song')
  meter.end()
  expect(meter.gainOf(1)).toBeCloseTo(0, 12)
  expect(meter.gainOf(0)).toBeGreaterThan(0)
  expect(meter.gainOf(2)).toBe(0)
})

test('each cycle is measured by the index as the last one left it', () => {
  const { meter, visit, tracker, index } = measuredIndex()
  const gains = ['narwhal', 'narwhal whale', 'whale'].map((text, i) => {
    meter.begin()
    visit(7 + i, text)
    visit(20, 'whale whale whale')
    meter.end()
    tracker.progress(index)
    return meter.gainOf(20)
  })
  expect(gains[0]).toBeGreaterThan(0)
  expect(gains.slice(1)).toEqual([0, 0])
})
