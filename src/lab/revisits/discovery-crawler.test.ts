import { expect, test } from 'vitest'
import { archiveOf } from '#archive/format/assemble-archive.ts'
import { rowOf } from '#numeric/csr.ts'
import { generateModelWeb } from '../model-web/generate.ts'
import { crawlTreeAt } from './crawl-tree.ts'
import { DiscoveryCrawler } from './discovery-crawler.ts'
import { discoverySite } from './discovery-site.ts'

const site = discoverySite(archiveOf(generateModelWeb({ seed: 4, pages: 500, weeks: 6 })))

test('links to a page are those of the copies held, as if all were counted again', () => {
  const crawler = new DiscoveryCrawler(site)
  const held = new Map<number, number>()
  for (const page of crawler.known()) held.set(page, site.versionsAt[0][page])
  for (let week = 1; week < site.snapshots; week++)
    for (const page of crawler.known().filter((_, i) => i % 7 === week)) {
      const seen = crawler.revisit(page, week)
      if (seen === undefined) held.delete(page)
      else for (const one of [page, ...seen.found]) held.set(one, site.versionsAt[week][one])
    }
  const counted = new Uint32Array(site.pages)
  for (const version of held.values())
    for (const target of rowOf(site.links, version)) counted[target]++
  expect(crawler.inLinks).toEqual(counted)
})

test('every page that was found is the child of one page', () => {
  const crawler = new DiscoveryCrawler(site)
  const sum = (column: Uint32Array) => column.reduce((all, one) => all + one, 0)
  const before = sum(crawler.children)
  expect(before).toBe(crawlTreeAt(site, 0).depths.filter((d) => d > 0 && d < site.pages).length)
  let found = 0
  for (const page of crawler.known()) found += crawler.revisit(page, 3)?.found.length ?? 0
  expect(found).toBeGreaterThan(0)
  expect(sum(crawler.children)).toBe(before + found)
})
