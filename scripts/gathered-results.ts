import { type ArchiveRow, compareShortfalls } from '#lab/experiments/budget/budget-summary.ts'
import { leftOutBudgets } from '#lab/experiments/budget/left-out.ts'
import { type SignalledRow, sitemapRatios } from '#lab/experiments/budget/sitemap-ratios.ts'
import { groupsBy } from '#lab/report/rows.ts'

/** A file of `lab run budget`. */
interface BudgetFile {
  readonly experiment: string
  readonly seed: number
  readonly sitemaps: SignalledRow['sitemaps']
  readonly rows: readonly ArchiveRow[]
}

/**
 * Runs of `budget`, an archive each perhaps, with the tables that compare archives as if they were one run; one result for
 * each kind of sitemaps. Other results stay as they are.
 */
export function gatheredResults(results: readonly object[]): object[] {
  const files = results as readonly BudgetFile[]
  if (files.length < 2 || files.some(({ experiment }) => experiment !== 'budget'))
    return [...results]
  const all = files.flatMap(({ rows, sitemaps }) => rows.map((row) => ({ ...row, sitemaps })))
  const [{ seed }] = files
  const bySitemaps = [...groupsBy(all, ({ sitemaps }) => sitemaps)].map(([sitemaps, rows]) => ({
    ...{ sitemaps, rows },
    leftOut: leftOutBudgets(rows, seed),
    summary: compareShortfalls(rows, seed),
  }))
  return [{ ...bySitemaps[0], signals: sitemapRatios(all, seed) }, ...bySitemaps.slice(1)]
}
