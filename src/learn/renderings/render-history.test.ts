import { expect, test } from 'vitest'
import { RenderHistory } from './render-history.ts'

const PLAIN = { ms: 200, bytes: 20_000, predicted: Number.NaN, gained: Number.NaN, links: 0 }
const page = (url: number, more: object = {}) => ({
  url,
  host: 1,
  classNumber: 1,
  ...PLAIN,
  ...more,
})

/** So many frames of a class, then their renderings, each of which gains that share of its prediction. */
function rendered(history: RenderHistory, count: number, share: number, classNumber = 1): void {
  for (let i = 0; i < count; i++) {
    const url = classNumber * 1000 + i
    history.observe(page(url, { classNumber, state: 'shell' }))
    const came = { predicted: 2, gained: 2 * share, links: 4, ms: 1800, bytes: 60_000 }
    history.observe(page(url, { classNumber, state: 'done', ...came }))
  }
}

test('a rendering costs as many fetches as it takes longer and brings more, learnt from both', () => {
  const { costs } = new RenderHistory()
  expect(costs.of(1)).toBe(4) // as is thought at first
  const history = new RenderHistory()
  for (let url = 0; url < 50; url++) history.observe(page(url))
  rendered(history, 200, 1)
  expect(history.costs.of(1)).toBe(6) // half of 9 times as long, half of 3 times as much
  expect(history.costs.of(2)).toBe(6) // others are expected to be like it
})

test('what renderings bring is learnt by class, beginning with the host and all others', () => {
  const history = new RenderHistory()
  const first = history.forecast('shell', 1, 1)
  expect(first.share).toBeCloseTo(0.4)
  rendered(history, 40, 0, 1)
  rendered(history, 40, 1.5, 2)
  expect(history.forecast('shell', 1, 1).share).toBeLessThan(0.15)
  expect(history.forecast('shell', 1, 2).share).toBe(1)
  const another = history.forecast('shell', 1, 3)
  expect(another.share).toBeGreaterThan(0.3)
  expect(another.share).toBeLessThan(1)
  expect(another.links).toBeGreaterThan(3.5)
})

test('a rendering that fails or brings nothing counts as nothing gained', () => {
  const history = new RenderHistory()
  for (let url = 0; url < 30; url++) {
    history.observe(page(url, { state: 'thin' }))
    history.observe(page(url, { state: url % 2 ? 'failed' : 'fruitless', predicted: 1, gained: 5 }))
  }
  expect(history.forecast('thin', 1, 1).share).toBeLessThan(0.05)
})

test('a page rendered at once counts by what it gained beyond a plain fetch', () => {
  const history = new RenderHistory()
  const came = { state: 'done', predicted: 1, gained: 1.25 }
  for (let url = 0; url < 200; url++) history.observe(page(url, came))
  expect(history.forecast('shell', 1, 1).share).toBeCloseTo(0.25, 1)
})

test('the first rendering tells more of what they cost than any guess', () => {
  const history = new RenderHistory()
  for (let url = 0; url < 50; url++) history.observe(page(url))
  rendered(history, 3, 1)
  expect(history.costs.of(2)).toBe(6) // 5.5: three times 6, and once 4 as is thought at first
})

test('the chance that a page needs its scripts is the share of those of its class that did', () => {
  const history = new RenderHistory()
  expect(history.chanceOf(1, 1)).toEqual({ thin: 0, shell: 0 })
  for (let url = 0; url < 60; url++) {
    history.observe(page(url, { classNumber: 1, state: 'shell' }))
    history.observe(page(1000 + url, { classNumber: 2 }))
  }
  expect(history.chanceOf(1, 1).shell).toBeGreaterThan(0.9)
  expect(history.chanceOf(1, 2).shell).toBeLessThan(0.1)
  expect(history.chanceOf(9, 1)).toEqual({ thin: 0, shell: 0 })
})

test('only the first rendering of a page tells what rendering brings', () => {
  const history = new RenderHistory()
  history.observe(page(1, { state: 'shell' }))
  expect(history.observe(page(1, { state: 'done', predicted: 1, gained: 1 }))).toBe(true)
  expect(history.observe(page(1, { state: 'done', gained: 7 }))).toBe(false)
  expect(history.forecast('shell', 1, 1).ofHost).toBe(1)
})

test('a host whose other pages show no new links is not expected to show some by scripts', () => {
  const history = new RenderHistory()
  const links = (host: number) => history.forecast('shell', host, 1).links
  const first = links(1)
  expect(first).toBeGreaterThan(4)
  for (let url = 0; url < 100; url++) history.observe(page(url))
  expect(links(1)).toBeLessThan(0.3)
  expect(links(2)).toBe(first)
  // Frames show none by themselves, which says nothing.
  for (let url = 0; url < 100; url++) history.observe(page(url, { host: 2, state: 'shell' }))
  expect(links(2)).toBe(first)
})
