import { expect, test } from 'vitest'
import { REL_HUB, REL_ROBOTS } from '../page/page.ts'
import { robotsSitemaps } from './robots-sitemaps.ts'
import { parseRobots } from './robots-txt.ts'

test('Sitemap lines, wherever they stand, are hubs, each once', () => {
  const robots = parseRobots(`Sitemap: https://a.example/one.xml#x
    User-agent: *
    Sitemap: /two.xml.gz
    Disallow: /
    sitemap:https://a.example/one.xml
    Sitemap: mailto:x
    Sitemap: https://cdn.example/a.xml`)
  expect(robotsSitemaps(robots, 'https://a.example')).toEqual(
    ['https://a.example/one.xml', 'https://a.example/two.xml.gz', 'https://cdn.example/a.xml'].map(
      (url) => ({ url, anchor: '', rel: REL_HUB | REL_ROBOTS }),
    ),
  )
})

test('a flood of them is cut', () => {
  const lines = Array.from({ length: 3000 }, (_, i) => `Sitemap: /${i}.xml`).join('\n')
  expect(robotsSitemaps(parseRobots(lines), 'https://a.example')).toHaveLength(1000)
})

test.each(['', 'Disallow: /', 'Sitemap: mailto:x'])(
  '%j names none: there is the usual place',
  (text) => {
    expect(robotsSitemaps(parseRobots(text), 'https://a.example')).toEqual([
      { url: 'https://a.example/sitemap.xml', anchor: '', rel: REL_ROBOTS },
    ])
  },
)
