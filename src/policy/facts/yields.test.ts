import { expect, test } from 'vitest'
import { Frontier } from '#frontier/frontier.ts'
import { Lessons } from '#learn/lessons.ts'
import { yieldsOf } from './yields.ts'

test('of an unread sitemap many links are expected, whatever pages show; what was predicted of it corrects no page', () => {
  const frontier = new Frontier()
  const lessons = new Lessons(frontier)
  const fetched = (url: number, newUrls: number, links: number) =>
    lessons.learn({
      ...{ url, at: 1, kind: 'page', form: 'page', contentChanged: true, newUrls },
      ...{ inLinks: 0, gain: 0, views: Number.NaN },
      prediction: { acquire: 0, links },
    })
  for (let page = 0; page < 50; page++)
    fetched(frontier.add(`https://a.org/${page}`, 'link', 1, 1), 2, 2)
  const map = frontier.add('https://a.org/map.xml', 'robots', 1, 1)
  const page = frontier.add('https://a.org/x', 'link', 1, 1)
  const { firstLinks } = yieldsOf(lessons, 2, new Uint32Array(), Uint32Array.of(map, page))
  expect(firstLinks[0]).toBe(100)
  expect(firstLinks[1]).toBeCloseTo(2)
  const before = lessons.corrections.links(page, 2, true)
  for (let other = 0; other < 200; other++)
    fetched(frontier.add(`https://a.org/map${other}.xml`, 'sitemap-index', 1, 1), 0, 100)
  expect(lessons.corrections.links(page, 2, true)).toBe(before)
  expect(lessons.corrections.links(map, 100, true)).toBe(100)
  const parts = frontier.add('https://a.org/map-next.xml', 'sitemap-index', 1, 1)
  const after = yieldsOf(lessons, 2, new Uint32Array(), Uint32Array.of(parts, page)).firstLinks
  expect(after[0]).toBeLessThan(1)
  expect(after[1]).toBeCloseTo(2)
})

test('of many sitemaps that nobody tried a plan believes a few, and twice as many when those were read', () => {
  const frontier = new Frontier()
  const lessons = new Lessons(frontier)
  const maps = Uint32Array.from({ length: 40 }, (_, host) =>
    frontier.add(`https://host${host}.org/sitemap.xml`, 'usual-place', 1, 1),
  )
  const believed = (candidates: Uint32Array) =>
    yieldsOf(lessons, 2, new Uint32Array(), candidates).firstLinks.filter((links) => links > 0)
  expect([...believed(maps)]).toEqual([20, 20])
  for (const url of maps.subarray(0, 2))
    lessons.learn({
      ...{ url, at: 1, kind: 'page', form: 'page', contentChanged: true, newUrls: 50 },
      ...{ inLinks: 0, gain: 0, views: Number.NaN },
    })
  expect([...believed(maps.subarray(2))]).toEqual([40, 40, 40, 40])
})
