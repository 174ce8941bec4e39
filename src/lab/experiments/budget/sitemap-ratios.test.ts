import { expect, test } from 'vitest'
import { archiveRow } from './archive-row.test-kit.ts'
import { type SignalledRow, sitemapRatios } from './sitemap-ratios.ts'

const row = (
  archive: string,
  sitemaps: SignalledRow['sitemaps'],
  shortfall: number,
  split = 1,
): SignalledRow => ({ ...archiveRow(archive, 'unified', shortfall, { split }), sitemaps })

test('sitemaps are judged by the samples of queries that ran with them and without', () => {
  const rows = [
    row('a', 'none', 0.2),
    row('a', 'none', 0.9, 2), // did not run with sitemaps
    row('a', 'honest', 0.1),
    row('b', 'none', 0.4),
    row('b', 'honest', 0.4),
    row('c', 'honest', 0.1),
  ]
  const [told, ...others] = sitemapRatios(rows, 1)
  expect(others).toEqual([])
  expect(told).toMatchObject({ policy: 'unified', sitemaps: 'honest', sites: 2, worst: 'b 1.000' })
  expect(told.ratio.estimate).toBeCloseTo(Math.sqrt(0.5), 12)
})
