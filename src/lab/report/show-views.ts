import { barChart } from './bar-chart.ts'
import { lineChart } from './line-chart.ts'
import type { ReportTable } from './report-page.ts'
import { cellOf, type Field, groupsBy, meanOf, numbersOf, type Tables } from './rows.ts'
import { scatterChart } from './scatter-chart.ts'
import type { BarsView, Column, LinesView, PointsView, TableView, View } from './view.ts'

type Row = Readonly<Record<string, unknown>>

/** Pictures and tables of all views, in their order; a view without anything to show is left out. */
export function showViews<Found extends Tables>(
  views: readonly View<Found>[],
  found: Found,
): { charts: string[]; tables: ReportTable[] } {
  const charts: string[] = []
  const tables: ReportTable[] = []
  for (const view of views as unknown as readonly AnyView[])
    for (const [name, rows] of facets(view, found)) {
      if (view.as === 'table') tables.push(tableOf(view, name, rows, found))
      else if (view.as === 'lines') charts.push(...linesOf(view, name, rows, found))
      else if (view.as === 'bars') charts.push(...barsOf(view, name, rows))
      else charts.push(...pointsOf(view, name, rows))
    }
  return { charts, tables }
}

type AnyView =
  | LinesView<string, Row, Tables>
  | BarsView<string, Row>
  | PointsView<string, Row>
  | TableView<string, Row, Tables>

/** The rows a view shows, apart where each value of a field has a picture or table of its own. */
function facets(view: AnyView, found: Tables): [string, readonly Row[]][] {
  const all = (found[view.of] ?? []) as readonly Row[]
  const rows = view.pick?.(all) ?? all
  if (rows.length === 0) return []
  return view.each === undefined ? [['', rows]] : [...groupsBy(rows, view.each)]
}

const titled = (title: string, facet: string): string =>
  facet === '' ? title : `${facet}: ${title}`

function linesOf(
  view: LinesView<string, Row, Tables>,
  facet: string,
  rows: readonly Row[],
  found: Tables,
): string[] {
  const { by = 'policy', x, y, band, xLabel, yLabel, logX, wholeX } = view
  const lines =
    typeof y === 'object'
      ? y.map(([name, height]) => ({ name, own: rows, height }))
      : Array.from(groupsBy(rows, by), ([name, own]) => ({ name, own, height: y }))
  const bounds = (some: readonly Row[], [low, high]: readonly [Field<Row>, Field<Row>]) =>
    [meanOf(some, low) ?? 0, meanOf(some, high) ?? 0] as const
  const series = lines.map(({ name, own, height }) => {
    const points = [...Map.groupBy(own, (row) => cellOf(row, x) as number)]
      .filter(([at, some]) => isPlace(at, logX) && numbersOf(some, height).length > 0)
      .sort(([a], [b]) => a - b)
    return {
      name,
      points: points.map(([at, some]) => [at, meanOf(some, height)!] as const),
      ...(band && { band: points.map(([, some]) => bounds(some, band)) }),
    }
  })
  const drawn = series.filter(({ points }) => points.length > 0)
  if (drawn.length === 0) return []
  const title = titled(view.title, facet)
  // Where there is one place along the axis, lines are single points: bars say more.
  if (new Set(drawn.flatMap(({ points }) => points.map(([at]) => at))).size === 1)
    return bars(
      drawn.map(({ name, points }) => ({ name, parts: [points[0][1]] })),
      { title, yLabel, partNames: [yLabel] },
    )
  const ceiling = view.ceiling?.(rows, found)
  return [lineChart(drawn, { title, xLabel, yLabel, logX, wholeX, ceiling })]
}

const isPlace = (at: unknown, isLogarithmic = false): boolean =>
  typeof at === 'number' && Number.isFinite(at) && (!isLogarithmic || at > 0)

function barsOf(view: BarsView<string, Row>, facet: string, rows: readonly Row[]): string[] {
  const { by = 'policy', parts, yLabel } = view
  return bars(
    Array.from(groupsBy(rows, by), ([name, own]) => ({
      name,
      parts: parts.map(([, field]) => meanOf(own, field) ?? 0),
    })),
    { title: titled(view.title, facet), yLabel, partNames: parts.map(([name]) => name) },
  )
}

/** A bar that stands alone compares nothing: its number is in a table. */
function bars(...[drawn, options]: Parameters<typeof barChart>): string[] {
  return drawn.length > 1 ? [barChart(drawn, options)] : []
}

function pointsOf(view: PointsView<string, Row>, facet: string, rows: readonly Row[]): string[] {
  const { by, x, y, xLabel, yLabel } = view
  const clouds = Array.from(groupsBy(rows, by), ([name, own]) => ({
    name,
    points: own.map((row) => [cellOf(row, x), cellOf(row, y)] as [number, number]),
  }))
  return [scatterChart(clouds, { title: titled(view.title, facet), xLabel, yLabel })]
}

function tableOf(
  view: TableView<string, Row, Tables>,
  facet: string,
  rows: readonly Row[],
  found: Tables,
): ReportTable {
  const { caption, columns, across, isDetail } = view
  const words = typeof caption === 'string' ? caption : caption(rows, found)
  const shared = { caption: titled(words, facet), isDetail }
  const header = columns.map((column) => (typeof column === 'string' ? column : column[0]))
  const cells = (row: Row) => columns.map((column) => cell(cellOf(row, fieldOf(column))))
  if (across === undefined) return { ...shared, header, rows: rows.map(cells) }
  const names = [...groupsBy(rows, across.by).keys()]
  const lines = Map.groupBy(rows, (row) => JSON.stringify(cells(row)))
  return {
    ...shared,
    header: [...header, ...names],
    rows: Array.from(lines.values(), (line) => {
      const byName = groupsBy(line, across.by)
      const own = names.map((name) => byName.get(name))
      return [...cells(line[0]), ...own.map((some) => cell(some && across.cell(some)))]
    }),
  }
}

const fieldOf = (column: Column<Row>): Field<Row> =>
  typeof column === 'string' ? column : column[1]

/** What nobody knows is a dash. */
function cell(value: unknown): string | number {
  if (value === null || value === undefined) return '–'
  return typeof value === 'number' ? value : String(value)
}
