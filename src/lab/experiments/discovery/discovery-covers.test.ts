import { expect, test } from 'vitest'
import { archiveOf } from '#archive/format/assemble-archive.ts'
import { type SmallVersion, smallArchive } from '#archive/format/small-archive.test-kit.ts'
import { discoverySite } from '../../revisits/discovery-site.ts'
import { newSitesByGap, newSitesOf } from './discovery-covers.ts'

const links = (...hosts: string[]) =>
  hosts.map((host): [string, string] => [`http://${host}/`, 'x'])
const page = (from: number, ...hosts: string[]): SmallVersion[] => [
  { live: [from, 2], links: links(...hosts) },
]

test('new sites are found by the pages that lead to most of them', () => {
  const site = discoverySite(
    archiveOf(
      smallArchive(3, {
        // A directory names three new sites, a friend one of them and a fourth.
        'http://directory.example/': [
          { live: [0, 0] },
          { live: [1, 2], links: links('one.example', 'two.example', 'three.example') },
        ],
        'http://friend.example/': [
          { live: [0, 0] },
          { live: [1, 2], links: links('three.example', 'four.example') },
        ],
        'http://one.example/': [{ live: [1, 2], links: [['http://one.example/more', 'x']] }],
        'http://one.example/more': page(1),
        'http://two.example/': page(1),
        'http://three.example/': page(1),
        'http://four.example/': page(1),
        // Of the second week: a new page of an old site, and a site that nobody links to.
        'http://friend.example/new': page(2),
        'http://hermit.example/': page(2),
      }),
    ),
  )
  expect(newSitesOf(site)).toEqual([
    { t: 1, newSites: 4, pagesOnNewSites: 5, pagesOnOldSites: 0, gains: [3, 1] },
    { t: 2, newSites: 1, pagesOnNewSites: 1, pagesOnOldSites: 1, gains: [] },
  ])
  // Who looks every other week sees what both brought.
  expect(newSitesOf(site, 2)).toEqual([
    { t: 2, newSites: 5, pagesOnNewSites: 6, pagesOnOldSites: 1, gains: [3, 1] },
  ])
  const pages = { pagesOnNewSites: 6, pagesOnOldSites: 1 }
  expect(newSitesByGap(site)).toEqual([
    { gap: 1, newSites: 5, ledTo: 4, byPages: 2, mostByOne: 3, ...pages },
    { gap: 2, newSites: 5, ledTo: 4, byPages: 2, mostByOne: 3, ...pages },
  ])
})

test('where there is one site, no site is new', () => {
  const site = discoverySite(
    archiveOf(smallArchive(3, { 'http://a.example/': page(0), 'http://a.example/b': page(1) })),
  )
  expect(newSitesOf(site)).toEqual([])
})
