import { expect, test } from 'vitest'
import { archiveOf } from '#archive/format/assemble-archive.ts'
import { smallArchive } from '#archive/format/small-archive.test-kit.ts'
import { byFinds, sharesOf } from './by-finds.ts'
import { DiscoveryCrawler } from './discovery-crawler.ts'
import { discoverySite } from './discovery-site.ts'
import type { RevisitingWay } from './revisiting.ts'

const at = (name: string) => `http://a.example/${name}`
const names = ['', 'a', 'b', 'c']
const site = discoverySite(
  archiveOf(
    smallArchive(2, Object.fromEntries(names.map((name) => [at(name), [{ live: [0, 1] }]]))),
  ),
)
const listing =
  (...pages: number[]): RevisitingWay =>
  () => ({ choose: (_, budget) => pages.slice(0, budget) })

test('shares go by finds a visit, and no expert gets less than a tenth', () => {
  expect(sharesOf([1, 1])).toEqual([0.5, 0.5])
  expect(sharesOf([3, 1])).toEqual([0.75, 0.25])
  const [good, poor] = sharesOf([1, 0])
  expect([good, poor]).toEqual([0.9, 0.1])
  expect(sharesOf([1, 0, 0]).reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 12)
  expect(sharesOf([0, 0])).toEqual([0.5, 0.5])
})

test('a page that two propose is taken once, and the list is filled from both', () => {
  const mixed = byFinds([listing(0, 1, 2), listing(0, 3)])(new DiscoveryCrawler(site))
  expect(Array.from(mixed.choose(1, 4)).sort()).toEqual([0, 1, 2, 3])
  expect(Array.from(mixed.choose(1, 99)).length).toBe(4)
})

test('whoever finds more gets more of the budget', () => {
  const many = Array.from({ length: 40 }, (_, page) => page)
  const mixed = byFinds([listing(...many.slice(0, 20)), listing(...many.slice(20))])(
    new DiscoveryCrawler(site),
  )
  for (let week = 1; week < 30; week++)
    for (const page of Array.from(mixed.choose(week, 4)))
      mixed.learn!(week, page, {
        page,
        found: page < 20 ? [1, 2, 3, 4] : [],
        foundBefore: new Map(),
      })
  const chosen = Array.from(mixed.choose(30, 20))
  expect(chosen.filter((page) => page < 20).length).toBeGreaterThan(14)
  expect(chosen.filter((page) => page >= 20).length).toBeGreaterThan(1)
})
