import { expect, test } from 'vitest'
import { archiveOf } from './format/assemble-archive.ts'
import { smallArchive } from './format/small-archive.test-kit.ts'
import { sitemapDate } from './sitemap-dates.ts'

const SNAPSHOTS = 30
const archive = archiveOf(
  smallArchive(
    SNAPSHOTS,
    Object.fromEntries(
      Array.from({ length: 40 }, (_, page) => [
        `http://a.example/${page}`,
        [{ live: [0, SNAPSHOTS - 1], title: `Page ${page}` }],
      ]),
    ),
  ),
)
const latest = SNAPSHOTS - 1
const pages = Array.from({ length: 40 }, (_, page) => page)
const datesOf = (host: string) =>
  pages.map((page) => sitemapDate(archive, 'mixed', host, page, latest))

test('an honest sitemap tells when a page changed', () => {
  expect(sitemapDate(archive, 'honest', 'a.example', 0, latest)).toBe(archive.timeOf(0))
})

test('mixed hosts date truly, not at all, all pages anew, or some at random', () => {
  const kinds = new Set(
    Array.from({ length: 60 }, (_, i) => {
      const dates = datesOf(`host${i}.example`)
      if (dates.every((date) => date === undefined)) return 'undated'
      if (dates.every((date) => date === archive.timeOf(0))) return 'honest'
      if (dates.every((date) => date === archive.timeOf(latest))) return 'always'
      expect(new Set(dates).size).toBeGreaterThan(3)
      return 'random'
    }),
  )
  expect([...kinds].sort()).toEqual(['always', 'honest', 'random', 'undated'])
})
