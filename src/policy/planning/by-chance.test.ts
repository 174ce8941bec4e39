import { expect, test } from 'vitest'
import { Frontier } from '#frontier/frontier.ts'
import { noBids } from '../bids.ts'
import { byChance, ofPages } from './by-chance.ts'

/** A site of which nothing under /old/ was found, with a candidate there, one elsewhere, and one of another site. */
function failingSite() {
  const frontier = new Frontier()
  for (let i = 0; i < 10; i++) {
    frontier.addresses.record(frontier.add(`https://a.org/new/${i}`, 'link', 1, 1), true)
    frontier.addresses.record(frontier.add(`https://a.org/old/${i}`, 'link', 1, 1), false)
  }
  const urls = ['https://a.org/old/x', 'https://a.org/new/x', 'https://b.org/x']
  return { frontier, urls: Uint32Array.from(urls, (url) => frontier.add(url, 'link', 1, 1)) }
}

test('bids for addresses like those that led nowhere are as low as their chance, and say so', () => {
  const { frontier, urls } = failingSite()
  const gains = Float64Array.of(8, 8, 8)
  const expected = Float64Array.of(1, 1, 1)
  const bids = { purpose: 'acquire' as const, urls, gains, expected, why: () => 'wanted' }
  const made = byChance(bids, frontier.addresses)
  expect(made.gains[0]).toBeLessThan(1)
  expect(made.gains[1]).toBeGreaterThan(7)
  expect(made.gains[2]).toBe(8)
  expect(made.expected![0]).toBeCloseTo(made.gains[0] / 8, 12)
  expect([0, 1, 2].map(made.why)).toEqual([
    expect.stringMatching(/^wanted; 10 of 10 addresses under https:\/\/a.org\/old\/ led nowhere/),
    'wanted',
    'wanted',
  ])
})

test('links that new pages would show count as far as these exist, those of copies as before', () => {
  const { frontier, urls } = failingSite()
  const reveals = {
    links: Float64Array.of(4, 4, 4),
    days: Float64Array.of(1, 1, 1),
    isFirst: Uint8Array.of(1, 0, 1),
  }
  const bids = { purpose: 'discover' as const, urls, gains: reveals.links, reveals, why: () => '' }
  const { links } = byChance(bids, frontier.addresses).reveals!
  expect(links[0]).toBeLessThan(0.5)
  expect([...links.slice(1)]).toEqual([4, 4])
})

test('copies, and crawls where no address failed, are left as they are', () => {
  const { frontier, urls } = failingSite()
  const bids = { urls, gains: Float64Array.of(8, 8, 8), why: () => '' }
  const ofCopies = { ...bids, purpose: 'refresh' as const }
  expect(byChance(ofCopies, frontier.addresses)).toBe(ofCopies)
  const ofPages = { ...bids, purpose: 'acquire' as const }
  expect(byChance(ofPages, new Frontier().addresses)).toBe(ofPages)
})

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
