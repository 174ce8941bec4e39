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
  /** Pages call another something; it is found by that from now on. */
  const rename = (url: number, anchor: string, ...namers: number[]) => {
    const before = index.copyOf(url)!
    index.replaceAnchors(new Map([[url, [anchor]]]))
    meter.renamed(url, { before, namers })
  }
  return { index, meter, tracker, visit, rename }
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

test('what links call a page is worth something to those who have the links, in equal parts', () => {
  const { meter, rename, visit } = measuredIndex()
  meter.begin()
  rename(3, 'squid', 0, 2)
  visit(2, 'squid song')
  meter.end()
  expect(meter.gainOf(0)).toBeGreaterThan(0)
  expect(meter.gainOf(0)).toBe(meter.anchorGainOf(0))
  expect(meter.anchorGainOf(2)).toBe(meter.anchorGainOf(0))
  expect(meter.gainOf(2)).toBeGreaterThan(meter.anchorGainOf(2))
  expect(meter.gainOf(3)).toBe(0)
  const one = measuredIndex()
  one.meter.begin()
  one.rename(3, 'squid', 0)
  one.meter.end()
  expect(meter.anchorGainOf(0)).toBeCloseTo(one.meter.anchorGainOf(0) / 2, 12)
})

test('a page that changes while it is renamed gains what is left when its namers have theirs', () => {
  const both = (text: string) => {
    const { meter, rename, visit } = measuredIndex()
    meter.begin()
    rename(3, 'squid', 0)
    visit(3, text)
    meter.end()
    return [meter.gainOf(0), meter.gainOf(3)]
  }
  const alone = measuredIndex()
  alone.meter.begin()
  alone.rename(3, 'squid', 0)
  alone.meter.end()
  const renamed = alone.meter.gainOf(0)
  const [byName, byText] = both('tuna whale')
  expect(byName).toBe(renamed)
  expect(byText).toBeGreaterThan(0)
  const unnamed = measuredIndex()
  unnamed.meter.begin()
  unnamed.visit(3, 'tuna whale')
  unnamed.meter.end()
  expect(byName + byText).toBeCloseTo(unnamed.meter.gainOf(3), 12)
  const [rest, nothing] = both('tuna') // without the words of its links
  expect([rest, nothing]).toEqual([0, 0])
})
