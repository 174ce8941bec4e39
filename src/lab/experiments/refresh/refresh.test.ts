import { expect, test } from 'vitest'
import { archiveOf } from '#archive/format/assemble-archive.ts'
import { REGISTRY } from '#policy/registry/registry.ts'
import { generateModelWeb } from '../../model-web/generate.ts'
import { pageChanges } from '../../refresh/page-changes.ts'
import { exactGains, gainRates, termGains } from '../../refresh/period-gains.ts'
import { refreshLab, refreshTexts } from '../../refresh/refresh-lab.ts'
import { forecast } from './forecast.ts'
import { type RefreshCase, runRefresh, TAUS, USUAL_REFRESHERS } from './refresh.ts'

const ONLINE = [...REGISTRY.of('refresh').map(({ name }) => name), 'clairvoyant']

const records = generateModelWeb({ seed: 4, pages: 600, weeks: 16 })
const texts = refreshTexts(archiveOf(records), records.workload!.queries)
const lab = refreshLab(texts, 'tfidf')
const changes = pageChanges(texts)
const run = (some: Partial<RefreshCase>) =>
  runRefresh(lab, () => changes, {
    scoring: 'tfidf',
    protocol: 'online',
    percents: [5],
    policies: USUAL_REFRESHERS,
    lastmod: 'none',
    seed: 1,
    ...some,
  })
const shortfalls = ({ rows }: ReturnType<typeof runRefresh>) =>
  Object.fromEntries(rows.map(({ policy, shortfall }) => [policy, shortfall]))

test('online, every policy spends its budget, and nobody beats the clairvoyant', () => {
  const found = run({})
  expect(found.rows.map(({ policy }) => policy).sort()).toEqual(ONLINE.toSorted())
  for (const { budget, fetches, quality, qualityBefore, policy } of found.rows) {
    if (policy !== 'clairvoyant') expect(fetches).toBe(budget * (lab.pages.weeks - 1))
    expect(qualityBefore).toBeLessThanOrEqual(quality)
    expect(quality).toBeLessThanOrEqual(1)
  }
  const by = shortfalls(found)
  for (const name of ONLINE) expect(by.clairvoyant).toBeLessThanOrEqual(by[name])
  expect(by.quality).toBeLessThan(by.uniform)
  expect(run({})).toEqual(found)
})

test('honest sitemaps bring quality nearer to the clairvoyant, mixed ones some of the way', () => {
  const without = shortfalls(run({})).quality
  const honest = run({ lastmod: 'honest' })
  expect(honest.rows.map(({ policy, lastmod }) => [policy, lastmod])).toEqual([
    ['views', 'honest'],
    ['quality', 'honest'],
  ])
  const mixed = run({ lastmod: 'mixed' })
  expect(shortfalls(honest).quality).toBeLessThan(without)
  expect(shortfalls(mixed).quality).toBeLessThan(without)
  const last = mixed.trust.filter(({ week }) => week === lab.pages.weeks - 1)
  const beliefIn = Object.fromEntries(last.map(({ kind, belief }) => [kind, belief]))
  expect(beliefIn.honest).toBeGreaterThan(beliefIn.random)
  expect(beliefIn.honest).toBeGreaterThan(beliefIn.always)
})

test('with the whole period known, every threshold is tried and uc needs no more fetches than its rivals', () => {
  const { rows, equalQuality } = run({ protocol: 'whole', percents: [10] })
  expect(rows.filter(({ policy }) => policy === 'sbr').map(({ tau }) => tau)).toEqual(TAUS)
  const { sbr, uniform } = shortfalls({ rows, equalQuality, trust: [] })
  expect(sbr).toBe(1) // at the last threshold, 1, nothing is ever fetched
  expect(uniform).toBeLessThan(1)
  const [{ ratio, rivalFetches, fetches }] = equalQuality
  expect(ratio).toBe(fetches / rivalFetches)
  expect(ratio).toBeLessThanOrEqual(1)
})

test('split in two, the second half is judged', () => {
  const { rows } = run({ protocol: 'split', policies: ['uniform'] })
  const half = Math.floor((lab.pages.weeks - 1) / 2)
  expect(rows[0].fetches).toBe(rows[0].budget * (lab.pages.weeks - 1 - half))
})

test('a forecast sets what pages gained in the first half of the weeks against the second', () => {
  const halves = [{ from: 0, to: 7 }, { from: 7, to: 15 }] // biome-ignore format: of sixteen snapshots
  const pages = lab.pages.archivePages.length
  for (const measure of ['exact', 'terms'] as const) {
    const [first, second] = halves.map((half) => {
      const gains = measure === 'exact' ? exactGains(lab, half) : termGains(lab, 'tfidf', half)
      return gainRates(pages, half, gains)
    })
    const expected = Array.from(first, (gain, page) => [gain, second[page]])
    const { row, points } = forecast(lab, 'tfidf', measure)
    expect(points).toEqual(expected.filter(([a, b]) => a > 0 || b > 0))
    expect(row).toMatchObject({
      both: expected.filter(([a, b]) => a > 0 && b > 0).length,
      firstOnly: expected.filter(([a, b]) => a > 0 && b === 0).length,
      secondOnly: expected.filter(([a, b]) => a === 0 && b > 0).length,
    })
    expect(row.both * row.firstOnly * row.secondOnly).toBeGreaterThan(0)
    const total = expected.reduce((sum, [, b]) => sum + b, 0)
    const tenth = (key: 0 | 1) =>
      expected.toSorted((a, b) => b[key] - a[key]).slice(0, Math.ceil(pages / 10))
    const shareOf = (some: number[][]) => some.reduce((sum, [, b]) => sum + b, 0) / total
    expect(row.topTenthShare).toBeCloseTo(shareOf(tenth(0)), 9)
    expect(row.bestTenthShare).toBeCloseTo(shareOf(tenth(1)), 9)
  }
})

test('a forecast counts each page once, and the best tenth brings the most', () => {
  for (const measure of ['exact', 'terms'] as const) {
    const { row, points } = forecast(lab, 'tfidf', measure)
    expect(row.both + row.firstOnly + row.secondOnly + row.neither).toBe(row.pages)
    expect(points.length).toBe(row.pages - row.neither)
    expect(row.topTenthShare).toBeLessThanOrEqual(row.bestTenthShare!)
    expect(row.bestTenthShare).toBeLessThanOrEqual(1)
  }
})
