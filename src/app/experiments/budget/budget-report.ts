import { type ArchiveRow, compareShortfalls } from '#lab/experiments/budget/budget-summary.ts'
import type { ReportTable } from '#lab/report/report-page.ts'
import type { Findings } from '../running/experiment.ts'
import type { BudgetFound } from './budget.ts'
import { budgetCharts } from './budget-charts.ts'
import { budgetTables } from './budget-tables.ts'

export interface BudgetRun {
  readonly archives: readonly string[]
  readonly seed: number
  readonly fixedOn: readonly string[]
}

const INTRO = `A crawler begins with some of the pages and spends a weekly budget while pages come, change and go.
Quality is what searchers get from its copies, of what they would get if every page were held and current (mean of just before
and just after the weekly fetches); the shortfall is what is missing from 1. All policies have the same estimators, and
go by the queries the crawler knows; quality is judged by others: "repeated" are two samples of the same searches, "disjoint"
share no query, "later" are about pages that come after the start. The starting pages are those of a crawl that takes
a URL it knows at random. Ratios below 1 say that one budget falls less short. "unified+values", "+losses" and "+yields" have one
estimate replaced by the truth; "+contents" knows what pages not fetched say, but not what will be asked.`

/** Everything that all steps found, as JSON, figures and tables. */
export function presentBudget(found: readonly BudgetFound[], run: BudgetRun): Findings {
  const { archives, seed, fixedOn } = run
  const rows: ArchiveRow[] = found.flatMap(({ archive, rows: own }) =>
    own.map((row) => ({ archive, ...row })),
  )
  const summary = compareShortfalls(rows, seed, fixedOn)
  const madeUp = [
    ...new Set(found.filter(({ isMadeUp }) => isMadeUp).map(({ archive }) => archive)),
  ]
  const ofMadeUp =
    madeUp.length > 0 ? ` Synthetic queries, from titles and anchors: ${madeUp.join(', ')}.` : ''
  const notCounted =
    fixedOn.length > 0
      ? ` Constants were fixed on ${fixedOn.join(', ')}: not counted in the summary.`
      : ''
  return {
    result: {
      experiment: 'budget',
      archive: archives.length > 1 ? archives : archives[0],
      seed,
      keys: ['archive', 'policy', 'start', 'budget', 'queries', 'split'],
      sites: siteFacts(found),
      rows,
      summary,
      calibrations: calibrationsOf(found),
      fixedOn,
    },
    title: 'One budget: new pages, copies and links',
    intro: INTRO + ofMadeUp + notCounted,
    charts: budgetCharts(found, summary),
    tables: [...budgetTables(rows, summary), ...calibrationTables(found)],
    archives,
  }
}

function calibrationsOf(found: readonly BudgetFound[]) {
  return found.flatMap(({ archive, calibrations }) =>
    calibrations.map((one) => ({ archive, ...one })),
  )
}

/** What unified predicted new pages to be worth, against what came, in units of the mean of all. */
function calibrationTables(found: readonly BudgetFound[]): ReportTable[] {
  const own = calibrationsOf(found).filter(({ policy }) => policy === 'unified')
  if (own.length === 0) return []
  return [
    {
      caption:
        'Values of new pages by tenths, lowest first: predicted → realised, 1 is the mean realised',
      header: ['archive', 'start', 'a week', 'queries', ...TENTHS],
      rows: own.map(({ archive, start, budget, queries, groups }) => {
        const total = groups.reduce((sum, { weight, realised }) => sum + weight * realised, 0)
        const mean = total / groups.reduce((sum, { weight }) => sum + weight, 0)
        const cells = groups.map(
          ({ predicted, realised }) =>
            `${(predicted / mean).toFixed(2)} → ${(realised / mean).toFixed(2)}`,
        )
        const missing = TENTHS.slice(cells.length).map(() => '–')
        return [archive, `${start} %`, `${budget} %`, queries, ...cells, ...missing]
      }),
    },
  ]
}

const TENTHS = Array.from({ length: 10 }, (_, tenth) => String(tenth + 1))

function siteFacts(found: readonly BudgetFound[]) {
  const sites = new Map(
    found.map(({ archive, pages, weeks, queryCount, isMadeUp }) => [
      archive,
      { archive, pages, weeks, queries: queryCount, madeUp: isMadeUp },
    ]),
  )
  return [...sites.values()]
}
