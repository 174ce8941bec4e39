import { expect, test } from 'vitest'
import { Frontier } from '#frontier/frontier.ts'
import { Lessons } from '#learn/lessons.ts'
import type { Bids } from '../bids.ts'
import { splitOffRenderings, withRenderedLinks } from './render-offers.ts'
import { RenderTerms } from './render-terms.ts'

/** A site with plain pages, frames, and pages never fetched of both classes; so many frames were rendered before. */
function siteWith(rendered: number, share = 1, shown: object = {}) {
  const frontier = new Frontier()
  const lessons = new Lessons(frontier)
  const add = (path: string) => frontier.add(`http://a.example${path}`, 'link', 1, 1)
  const learn = (url: number, rendering?: 'shell' | 'done', more: object = {}) => {
    frontier.renderings.note(url, rendering, true)
    frontier.visit(url, { state: 'page', at: 2 })
    lessons.learn({
      ...{ url, at: 2, kind: 'page', form: 'page', contentChanged: true, newUrls: 3 },
      ...{ inLinks: 0, gain: share, views: 0 },
      ...{ ms: rendering === 'done' ? 1000 : 200, bytes: 20_000, rendering, ...more },
    })
  }
  for (let i = 0; i < 30; i++) learn(add(`/plain/${i}`))
  for (let i = 0; i < rendered; i++) {
    const url = add(`/app/old${i}`)
    learn(url, 'shell')
    learn(url, 'done', { prediction: { render: 1 } })
  }
  const frame = add('/app/frame')
  learn(frame, 'shell', shown)
  const [app, plain] = [add('/app/new'), add('/plain/new')]
  return { lessons, frame, app, plain }
}

const bidsFor = (urls: readonly number[]): Bids => ({
  purpose: 'acquire',
  urls: Uint32Array.from(urls),
  gains: new Float64Array(urls.length).fill(2),
  why: () => 'asked for',
})

test('a frame is bid for as a page that rendering would bring, at what that costs', () => {
  const { lessons, frame, plain } = siteWith(0)
  const terms = new RenderTerms(lessons, 'worthwhile')
  const { acquire, rendering } = splitOffRenderings(bidsFor([frame, plain]), terms)
  expect([...acquire.urls]).toEqual([plain])
  expect([...rendering.first.urls]).toEqual([frame])
  expect(rendering.first.gains[0]).toBeCloseTo(2 * 0.4)
  expect(rendering.costOf(frame)).toBe(4)
  expect(rendering.costOf(plain)).toBeUndefined()
  expect(rendering.first.why(0)).toContain('at the cost of 4 fetches')
})

test('what searchers got of a frame by links’ words tells what it is worth, and so does what was predicted of it', () => {
  const { lessons, frame } = siteWith(0, 1, { gain: 0.6, prediction: { acquire: 0.2 } })
  const terms = new RenderTerms(lessons, 'worthwhile')
  const { rendering } = splitOffRenderings(bidsFor([frame]), terms)
  expect(rendering.predictions[0]).toBeCloseTo(0.4)
  expect(rendering.first.gains[0]).toBeCloseTo(0.4 * 0.4)
  // Bids that only order pages have no such scale.
  const ranked = splitOffRenderings(bidsFor([frame]), terms, (bids) => bids, false)
  expect(ranked.rendering.predictions[0]).toBe(2)
})

test('what renderings of a class came to counts from then on', () => {
  const [good, bad] = [siteWith(40, 1), siteWith(40, 0)]
  const gainOf = ({ lessons, frame }: ReturnType<typeof siteWith>) => {
    const terms = new RenderTerms(lessons, 'worthwhile')
    return splitOffRenderings(bidsFor([frame]), terms).rendering.first.gains[0]
  }
  expect(gainOf(good)).toBeGreaterThan(1.9)
  expect(gainOf(bad)).toBeLessThan(0.2)
})

test('where nearly all pages of a class were frames, a new one is rendered at once', () => {
  const { lessons, app, plain } = siteWith(40)
  const terms = new RenderTerms(lessons, 'worthwhile')
  expect(terms.costOf(app)).toBe(terms.renderingCost(app))
  expect(terms.costOf(plain)).toBeUndefined()
  expect(new RenderTerms(lessons, 'all').costOf(plain)).toBe(terms.renderingCost(plain))
})

test('that a new page may have to be rendered is worth what is left beyond its price', () => {
  const { lessons, app } = siteWith(2)
  const terms = new RenderTerms(lessons, 'worthwhile')
  const { rendering } = splitOffRenderings(bidsFor([app]), terms)
  expect(rendering.options(0).gains[0]).toBeGreaterThan(0)
  expect(rendering.options(1e6).urls).toHaveLength(0)
})

test('links of a frame are those that renderings showed', () => {
  const { lessons, frame, plain } = siteWith(40)
  const terms = new RenderTerms(lessons, 'worthwhile')
  const column = (value: number) => new Float64Array(2).fill(value)
  const reveals = { links: column(0.5), days: column(180), isFirst: new Uint8Array(2).fill(1) }
  const { links } = withRenderedLinks({ ...bidsFor([frame, plain]), reveals }, terms).reveals!
  expect(links[0]).toBeGreaterThan(2.5)
  expect(links[1]).toBe(0.5)
})
