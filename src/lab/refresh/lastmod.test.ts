import { expect, test } from 'vitest'
import { lastmodSignals } from './lastmod.ts'
import type { WeeklyPages } from './weekly-pages.ts'

const WEEKS = 20
/** Every seventh page changes every third week. */
function manyPages(count: number): WeeklyPages {
  const contents = Uint32Array.from({ length: count * WEEKS }, (_, place) => {
    const page = Math.floor(place / WEEKS)
    return page * WEEKS + (page % 7 === 0 ? Math.floor((place % WEEKS) / 3) : 0)
  })
  return {
    weeks: WEEKS,
    archivePages: Uint32Array.from({ length: count }, (_, page) => page),
    contents,
    versions: Uint32Array.from(contents.keys()),
    changedPages: Array.from({ length: WEEKS }, () => new Uint32Array()),
    days: Float64Array.from({ length: WEEKS }, (_, week) => 7 * week),
  }
}

test('without sitemaps there is nothing to read', () => {
  expect(lastmodSignals(manyPages(3), 'none', 1)).toBeUndefined()
})

test('after some weeks honest hosts are believed, liars and silent ones are not', () => {
  const pages = manyPages(2_000)
  const signals = lastmodSignals(pages, 'mixed', 1)!
  const lastFetch = new Uint32Array(2_000)
  for (let week = 1; week <= 6; week++)
    for (let page = week; page < 2_000; page += 8) {
      const place = page * WEEKS + week
      const changed = pages.contents[place] !== pages.contents[place - week]
      signals.test(week, page, 0, changed)
    }
  const { honest, random, always, missing } = signals.beliefs()
  expect(honest).toBeGreaterThan(0.9)
  for (const belief of [random, always, missing]) expect(belief).toBeCloseTo(0.5, 0)
  expect(random).toBeLessThan(0.65)
  const { oddsFactors } = signals.claims(6, lastFetch)
  expect(new Set(oddsFactors).size).toBeGreaterThan(3)
})

test('an honest sitemap speaks of changes since the last fetch only', () => {
  const pages = manyPages(1)
  const signals = lastmodSignals(pages, 'honest', 1)!
  for (let i = 0; i < 10; i++) {
    signals.test(4, 0, 0, true) // changed in week 3, and said so
    signals.test(4, 0, 3, false) // fetched since, and said nothing
  }
  expect(signals.claims(4, Uint32Array.of(0)).oddsFactors[0]).toBeGreaterThan(5)
  expect(signals.claims(4, Uint32Array.of(3)).oddsFactors[0]).toBeLessThan(0.2)
})
