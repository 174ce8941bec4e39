import type { ArchiveRow, ComparisonResult } from '#lab/experiments/budget/budget-summary.ts'
import type { ReportTable } from '#lab/report/report-page.ts'
import { PURPOSES } from '#policy/bids.ts'

/** The summary first, then what it is made of. */
export function budgetTables(
  rows: readonly ArchiveRow[],
  summary: readonly ComparisonResult[],
): ReportTable[] {
  return [
    summaryTable(summary),
    ...shortfallTables(rows),
    ...taskTables(rows),
    ...recoveryTable(rows),
  ]
}

function summaryTable(summary: readonly ComparisonResult[]): ReportTable {
  return {
    caption: 'Shortfall ratios: mean over archives of the mean over budgets',
    header: [
      'unified against',
      'start',
      'queries',
      'ratio',
      '95 % interval over archives',
      'archives',
      'worst archive',
    ],
    rows: summary.map(({ comparison, start, queries, ratio, archives }) => {
      const worst = archives.reduce((a, b) => (b.ratio > a.ratio ? b : a))
      return [
        comparison,
        `${start} %`,
        queries,
        ratio.estimate.toFixed(3),
        `${ratio.low.toFixed(3)} – ${ratio.high.toFixed(3)}`,
        archives.length,
        `${worst.archive} ${worst.ratio.toFixed(3)}`,
      ]
    }),
  }
}

/** A table for each start and kind of queries: a line an archive and budget, a column a policy. */
function shortfallTables(rows: readonly ArchiveRow[]): ReportTable[] {
  return tablesBy(rows, ({ start, queries }) => `start ${start} %, ${queries} queries`, {
    caption: 'Shortfalls, mean over splits',
    lineOf: ({ archive, budget }) => [archive, `${budget} %`],
    lineHeader: ['archive', 'a week'],
    cell: (own) => mean(own.map(({ shortfall }) => shortfall)).toFixed(4),
  })
}

/** What the fetches were for, and how long new pages waited: a line a budget, means over archives. */
function taskTables(rows: readonly ArchiveRow[]): ReportTable[] {
  const title = ({ start, queries }: ArchiveRow) => `start ${start} %, ${queries} queries`
  const lineOf = ({ budget }: ArchiveRow) => [`${budget} %`]
  const lineHeader = ['a week']
  return [
    ...tablesBy(rows, title, {
      caption: 'Shares of fetches for new pages / copies / links, in per cent, mean over archives',
      lineOf,
      lineHeader,
      cell: (own) =>
        PURPOSES.map((task) => Math.round(100 * mean(own.map(({ shares }) => shares[task])))).join(
          ' / ',
        ),
    }),
    ...tablesBy(rows, title, {
      caption:
        'Values of new pages: rank correlation with the truth / predicted over realised, mean over archives',
      lineOf,
      lineHeader,
      cell: (own) =>
        `${meanOfKnown(own, (row) => row.valueCorrelation, 2)} / ${meanOfKnown(own, (row) => row.valueBias, 2)}`,
    }),
    ...tablesBy(rows, title, {
      caption: 'Weeks from birth until a page was known / held, mean over archives',
      lineOf,
      lineHeader,
      cell: (own) =>
        `${meanOfKnown(own, (row) => row.discoveryDelay, 1)} / ${meanOfKnown(own, (row) => row.holdingDelay, 1)}`,
    }),
  ]
}

/** After mass deletions: weeks until nine tenths of the quality lost were back. */
function recoveryTable(rows: readonly ArchiveRow[]): ReportTable[] {
  const hit = rows.filter(({ recovery }) => recovery.length > 0)
  if (hit.length === 0) return []
  return tablesBy(hit, ({ start, queries }) => `start ${start} %, ${queries} queries`, {
    caption:
      'Weeks until nine tenths of the quality lost by a mass deletion were back, median over splits (quality lost; mean quality of the first eight weeks)',
    lineOf: ({ archive, budget }) => [archive, `${budget} %`],
    lineHeader: ['archive', 'a week'],
    cell: (own) => {
      const all = own.flatMap(({ recovery }) => recovery)
      const weeks = all.map((one) => one.weeks ?? Number.POSITIVE_INFINITY).sort((a, b) => a - b)
      const middle = weeks[weeks.length >> 1]
      const lost = mean(all.map((one) => one.lost)).toFixed(3)
      const quality = mean(all.map((one) => one.quality)).toFixed(3)
      return `${Number.isFinite(middle) ? middle : 'never'} (${lost}; ${quality})`
    },
  })
}

interface Layout {
  readonly caption: string
  readonly lineOf: (row: ArchiveRow) => readonly string[]
  readonly lineHeader: readonly string[]
  readonly cell: (rows: readonly ArchiveRow[]) => string
}

function tablesBy(
  rows: readonly ArchiveRow[],
  titleOf: (row: ArchiveRow) => string,
  { caption, lineOf, lineHeader, cell }: Layout,
): ReportTable[] {
  return Array.from(Map.groupBy(rows, titleOf), ([title, own]) => {
    const policies = [...new Set(own.map(({ policy }) => policy))]
    const lines = Map.groupBy(own, (row) => JSON.stringify(lineOf(row)))
    return {
      caption: `${caption}: ${title}`,
      header: [...lineHeader, ...policies],
      rows: Array.from(lines.values(), (line) => [
        ...lineOf(line[0]),
        ...policies.map((name) => {
          const cells = line.filter(({ policy }) => policy === name)
          return cells.length > 0 ? cell(cells) : '–'
        }),
      ]),
    }
  })
}

function meanOfKnown(
  rows: readonly ArchiveRow[],
  measure: (row: ArchiveRow) => number | null,
  digits: number,
): string {
  const known = rows.map(measure).filter((value) => value !== null)
  return known.length > 0 ? mean(known).toFixed(digits) : '–'
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
