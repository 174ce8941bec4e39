import { expect, test } from 'vitest'
import { Frontier } from '#frontier/frontier.ts'
import { noBids } from '../bids.ts'
import { ofPages } from './of-pages.ts'

test('a sitemap or feed is worth nothing as a page, whoever names it', () => {
  const frontier = new Frontier()
  const urls = Uint32Array.of(
    frontier.add('https://a.org/page', 'link', 1, 1),
    frontier.add('https://a.org/named.xml', 'robots', 1, 1),
    frontier.add('https://a.org/part.xml', 'sitemap-index', 1, 1),
    frontier.add('https://a.org/sitemap.xml', 'usual-place', 1, 1),
    frontier.add('https://a.org/feed', 'header', 1, 1),
  )
  const bids = { ...noBids('acquire'), urls, gains: new Float64Array(5).fill(0.5) }
  expect([...ofPages(bids, frontier).gains]).toEqual([0.5, 0, 0, 0, 0])
})
