import type { Interval } from '../../metrics/bootstrap.ts'
import { shortfallRatios } from '../../metrics/shortfall-ratios.ts'
import { groupsBy } from '../../report/rows.ts'
import type { ArchiveRow, ComparisonResult } from './budget-summary.ts'

/** A crawl of a web whose hosts have such sitemaps. */
export interface SignalledRow extends ArchiveRow {
  readonly sitemaps: 'honest' | 'none' | 'mixed'
}

/** What sitemaps bring to a policy: its shortfall as a multiple of that without any. */
interface SitemapRatio extends Pick<ComparisonResult, 'start' | 'queries' | 'worst'> {
  readonly policy: string
  readonly sitemaps: SignalledRow['sitemaps']
  readonly ratio: Interval
  readonly sites: number
}

/** Of all policies, starts and kinds of queries that ran with sitemaps and without. */
export function sitemapRatios(rows: readonly SignalledRow[], seed: number): SitemapRatio[] {
  const alike = groupsBy(rows, ({ start, queries, policy }) => `${start} ${queries} ${policy}`)
  return [...alike.values()].flatMap((own) => {
    const [{ start, queries, policy }] = own
    const named = own.map((row) => ({ ...row, policy: row.sitemaps }))
    return (['honest', 'mixed'] as const).flatMap((sitemaps) =>
      shortfallRatios(named, [{ name: '', policy: sitemaps, rivals: ['none'] }], seed).map(
        ({ ratio, worst, archives }) => ({
          ...{ start, queries, policy, sitemaps, ratio, worst },
          sites: archives.length,
        }),
      ),
    )
  })
}
