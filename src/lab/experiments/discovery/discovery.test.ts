import { describe, expect, test } from 'vitest'
import { archiveOf } from '#archive/format/assemble-archive.ts'
import { smallArchive } from '#archive/format/small-archive.test-kit.ts'
import { generateModelWeb } from '../../model-web/generate.ts'
import { discoverySite } from '../../revisits/discovery-site.ts'
import { evolutionOf } from '../../statistics/evolution.ts'
import { measureDiscovery } from './discovery.ts'
import { revisitRows } from './discovery-compare.ts'
import { coverLines, pageLines } from './discovery-dump.ts'
import { poolDiscovery } from './discovery-pool.ts'

const at = (name: string) => `http://a.example/${name}`
const to = (...names: string[]) => names.map((name): [string, string] => [at(name), name])

/**
 * News appear one a week: `news` links to all there are, `menu` too, `about` to nothing. The second
 * story has a sequel that only the story links to, and `page/2` is a listing.
 */
const site = discoverySite(
  archiveOf(
    smallArchive(4, {
      [at('')]: [{ live: [0, 3], links: to('news', 'about') }],
      [at('news')]: [
        { live: [0, 0] },
        { live: [1, 1], links: to('story1') },
        { live: [2, 2], links: to('story1', 'story2', 'page/2') },
        { live: [3, 3], links: to('story2', 'story3') },
      ],
      [at('about')]: [{ live: [0, 3] }],
      [at('menu')]: [
        { live: [0, 0] },
        { live: [1, 1], links: to('story1') },
        { live: [2, 3], links: to('story1', 'story2') },
      ],
      [at('story1')]: [{ live: [1, 3] }],
      [at('story2')]: [{ live: [2, 3], links: to('sequel') }],
      [at('sequel')]: [{ live: [2, 3] }],
      [at('page/2')]: [{ live: [2, 3] }],
      [at('story3')]: [{ live: [3, 3] }],
      [at('lonely')]: [{ live: [3, 3] }],
    }),
  ),
)
const options = { periods: [1, 2], budgets: [1, 2, 100], seed: 1 }
const found = measureDiscovery(site, options)
const pool = poolDiscovery([found.all])
const rowOf = (algorithm: string, period: number, budget: number) =>
  pool.rows.find(
    (row) => row.algorithm === algorithm && row.period === period && row.budget === budget,
  )

test('covers, orphans and what history leads to, step by step', () => {
  expect(found.steps).toEqual([
    { t: 1, newPages: 1, cover90: 1, cover100: 1, covered100: 1, history: 0 },
    { t: 2, newPages: 3, cover90: 1, cover100: 1, covered100: 3, history: 3 },
    { t: 3, newPages: 2, cover90: 1, cover100: 1, covered100: 1, history: 1 },
  ])
  expect(pool.greedy.at(-1)).toEqual({ share: 1, overhead: 3 / 5 })
  expect(found).toMatchObject({ sites: 1, born: 6, bornListings: 1 })
})

test('with foresight one fetch a week finds all; from history the first week is lost', () => {
  expect(rowOf('greedy', 0, 1)).toMatchObject({ coverage: 1, overhead: 3 / 5, coverSize: 1 })
  expect(rowOf('od-all', 1, 1)).toMatchObject({ coverage: 4 / 5, overhead: 2 / 4 })
  expect(rowOf('od-win', 1, 2)).toMatchObject({ coverage: 4 / 5, overhead: 4 / 4, position: 0.5 })
  // The recrawl of week 2 is of use in week 3 only.
  expect(rowOf('od-win', 2, 1)).toMatchObject({ coverage: 1 / 5, overhead: 1 })
  expect(pool.bounds.map(({ coverage }) => coverage)).toEqual([4 / 5, 1 / 5])
})

test('full recrawls are paid for: five pages, then eight, then ten', () => {
  expect(rowOf('od-win', 1, 1)?.totalOverhead).toBe((2 + 5 + 8 + 10) / 4)
  expect(rowOf('od-win', 2, 1)?.totalOverhead).toBe((1 + 8) / 1)
})

test('without listing pages there is one page less to find', () => {
  const lean = poolDiscovery([found.withoutListings])
  expect(lean.greedy.at(-1)).toEqual({ share: 1, overhead: 3 / 4 })
})

test('a crawler with enough budget finds all that is linked, at once; one page stays alone', () => {
  const rows = revisitRows(found.all.revisits)
  for (const policy of ['yield', 'uniform', 'indegree', 'yield-thompson'])
    expect(
      rows.find((row) => row.policy === policy && row.spending === 'weekly' && row.budget === 100),
    ).toMatchObject({ born: 6, found: 5, atOnce: 5 / 6, delay: 0, waiting: 1 / 6 })
})

test('yield gets as many fetches as od-win with its recrawls', () => {
  const rows = revisitRows(found.all.revisits).filter(({ spending }) => spending === 'recrawls')
  for (const budget of options.budgets) {
    const paid = rows.filter((row) => row.budget === budget)
    const od = paid.find(({ policy }) => policy === 'od-win')
    for (const row of paid) expect(row.fetched).toBeLessThanOrEqual(od!.fetched)
  }
})

test('the dump says who leads to whom, and when each page was there', () => {
  const lines = [...coverLines('small', site)]
  expect(lines).toContain(`small\t2\t${at('menu')}\t${at('story2')} ${at('sequel')}`)
  expect(lines.length).toBe(1 + 2 + 2 + 1)
  expect([...pageLines(site)]).toContain(`${at('page/2')}\t2-3\t1`)
})

describe('an archive of several sites', () => {
  const archive = archiveOf(generateModelWeb({ seed: 5, pages: 900, weeks: 6 }))
  const web = discoverySite(archive)
  const measured = measureDiscovery(web, { periods: [1, 2, 4], budgets: [1, 10], seed: 1 })

  test('new pages on new sites and on old ones are all new pages', () => {
    const born = evolutionOf(archive).steps.map((step) => step.born)
    expect(measured.sites).toBeGreaterThan(10)
    expect(measured.newSites.map((step) => step.pagesOnNewSites + step.pagesOnOldSites)).toEqual(
      born,
    )
    expect(measured.steps.map((step) => step.newPages)).toEqual(born)
    for (const { newSites, gains } of measured.newSites)
      expect(gains.reduce((sum, gain) => sum + gain, 0)).toBeLessThanOrEqual(newSites)
  })

  test('budgets are for each site, and nobody does better than greed with foresight', () => {
    const { rows, bounds } = poolDiscovery([measured.all])
    for (const row of rows.filter(({ period }) => period > 0)) {
      const greedy = rows.find((one) => one.algorithm === 'greedy' && one.budget === row.budget)
      expect(row.coverage).toBeLessThanOrEqual(greedy!.coverage! + 1e-12)
      const bound = bounds.find(({ period }) => period === row.period)
      expect(row.coverage).toBeLessThanOrEqual(bound!.coverage! + 1e-12)
      expect(row.coverSize).toBeLessThanOrEqual(row.budget)
    }
  })

  test('the same seed gives the same result', () => {
    const again = measureDiscovery(web, { periods: [1, 2, 4], budgets: [1, 10], seed: 1 })
    expect(again).toEqual(measured)
  })
})
