import { type Interval, intervalText } from '../metrics/bootstrap.ts'
import { barChart } from './bar-chart.ts'
import { plainFields, wordsFor } from './field-words.ts'
import { lineChart } from './line-chart.ts'
import type { ReportTable } from './report-page.ts'
import { cellOf, type Field, groupsBy, meanOf, numbersOf, type Tables } from './rows.ts'
import { scatterChart } from './scatter-chart.ts'
import type { BarsView, LinesView, PointsView, TableView, View } from './view.ts'

type Row = Readonly<Record<string, unknown>>
type AnyView =
  | LinesView<string, Row, Tables>
  | BarsView<string, Row>
  | PointsView<string, Row>
  | TableView<string, Row, Tables>

/** Pictures and tables of all views, in their order; a view without anything to show is left out. */
export function showViews<Found extends Tables>(
  views: readonly View<Found>[],
  found: Found,
): { charts: string[]; tables: ReportTable[] } {
  const charts: string[] = []
  const tables: ReportTable[] = []
  for (const view of views as unknown as readonly AnyView[])
    for (const [facet, rows] of facets(view, found)) {
      if (view.as === 'table') tables.push(tableOf(view, facet, rows, found))
      else if (view.as === 'lines') charts.push(...linesOf(view, facet, rows, found))
      else if (view.as === 'bars') charts.push(...barsOf(view, facet, rows))
      else charts.push(pointsOf(view, facet, rows))
    }
  return { charts, tables }
}

/** The rows a view shows, apart where each value of a field has a picture or table of its own. */
function facets(view: AnyView, found: Tables): [string, readonly Row[]][] {
  const all = (found[view.of] ?? []) as readonly Row[]
  const rows = view.pick?.(all) ?? all
  if (rows.length === 0) return []
  return view.each === undefined ? [['', rows]] : [...groupsBy(rows, view.each)]
}

const titled = (title: string, facet: string): string =>
  facet === '' ? title : `${facet}: ${title}`

const titleOf = (
  { title }: Exclude<AnyView, TableView<string, Row, Tables>>,
  facet: string,
  rows: readonly Row[],
) => titled(typeof title === 'string' ? title : title(rows), facet)

/** What is drawn as one line or one kind of bar: rows, and the field that gives heights. */
function heightsOf(
  rows: readonly Row[],
  { y, by = 'policy' }: Pick<LinesView<string, Row, Tables>, 'y' | 'by'>,
) {
  if (typeof y === 'object') return y.map(([name, height]) => ({ name, own: rows, height }))
  return Array.from(groupsBy(rows, by), ([name, own]) => ({ name, own, height: y }))
}

const labelOf = (y: LinesView<string, Row, Tables>['y']): string =>
  typeof y === 'object' ? '' : wordsFor(y)

function linesOf(
  view: LinesView<string, Row, Tables>,
  facet: string,
  rows: readonly Row[],
  found: Tables,
): string[] {
  const { x, y, band, logX = false, xLabel = wordsFor(x), yLabel = labelOf(y) } = view
  const bounds = (some: readonly Row[], [low, high]: readonly [Field<Row>, Field<Row>]) =>
    [meanOf(some, low) ?? 0, meanOf(some, high) ?? 0] as const
  const lines = heightsOf(rows, view).map(({ name, own, height }) => {
    const points = [...Map.groupBy(own, (row) => cellOf(row, x) as number)]
      .filter(([at, some]) => isPlace(at, logX) && numbersOf(some, height).length > 0)
      .sort(([a], [b]) => a - b)
    return {
      name,
      points: points.map(([at, some]) => [at, meanOf(some, height)!] as const),
      ...(band && { band: points.map(([, some]) => bounds(some, band)) }),
    }
  })
  const series = lines.filter(({ points }) => points.length > 0)
  const places = [...new Set(series.flatMap(({ points }) => points.map(([at]) => at)))]
  if (places.length === 0) return []
  const title = titleOf(view, facet, rows)
  // Where there is one place along the axis, lines are single points: bars say more.
  if (places.length === 1) {
    const drawn = series.map(({ name, points }) => ({ name, parts: [points[0][1]] }))
    return bars(drawn, { title, yLabel, partNames: [yLabel] })
  }
  const ceiling = view.ceiling?.(rows, found)
  const wholeX = places.every((place) => Number.isInteger(place))
  const along = logX ? `${xLabel} (logarithmic)` : xLabel
  return [lineChart(series, { title, xLabel: along, yLabel, logX, wholeX, ceiling })]
}

const isPlace = (at: unknown, isLogarithmic: boolean): boolean =>
  typeof at === 'number' && Number.isFinite(at) && (!isLogarithmic || at > 0)

function barsOf(view: BarsView<string, Row>, facet: string, rows: readonly Row[]): string[] {
  const { by = 'policy', y, yLabel = labelOf(y) } = view
  const parts = typeof y === 'object' ? y : [[yLabel, y] as const]
  const drawn = Array.from(groupsBy(rows, by), ([name, own]) => ({
    name,
    parts: parts.map(([, field]) => meanOf(own, field) ?? 0),
  }))
  const partNames = parts.map(([name]) => name)
  return bars(drawn, { title: titleOf(view, facet, rows), yLabel, partNames })
}

/** A bar that stands alone compares nothing: its number is in a table. */
function bars(...[drawn, options]: Parameters<typeof barChart>): string[] {
  return drawn.length > 1 ? [barChart(drawn, options)] : []
}

function pointsOf(view: PointsView<string, Row>, facet: string, rows: readonly Row[]): string {
  const { by, x, y, xLabel = wordsFor(x), yLabel = wordsFor(y), large, ownScales } = view
  const clouds = Array.from(groupsBy(rows, by), ([name, own]) => ({
    name,
    isLarge: name === large,
    points: own.map((row) => [cellOf(row, x), cellOf(row, y)] as [number, number]),
  }))
  return scatterChart(clouds, { title: titleOf(view, facet, rows), xLabel, yLabel, ownScales })
}

function tableOf(
  view: TableView<string, Row, Tables>,
  facet: string,
  rows: readonly Row[],
  found: Tables,
): ReportTable {
  const { caption, across, isDetail } = view
  const words = typeof caption === 'string' ? caption : caption(rows, found)
  const shared = { caption: titled(words, facet), isDetail }
  const columns =
    view.columns?.map((column) =>
      typeof column === 'string' ? ([wordsFor<Row>(column), column] as const) : column,
    ) ?? plainFields(rows)
  const header = columns.map(([name]) => name)
  const cells = (row: Row) => columns.map(([, field]) => shown(cellOf(row, field)))
  if (across === undefined) return { ...shared, header, rows: rows.map(cells) }
  const names = [...groupsBy(rows, across.by).keys()]
  const lines = Map.groupBy(rows, (row) => JSON.stringify(cells(row)))
  return {
    ...shared,
    header: [...header, ...names],
    rows: Array.from(lines.values(), (line) => {
      const byName = groupsBy(line, across.by)
      const own = names.map((name) => byName.get(name))
      return [...cells(line[0]), ...own.map((some) => shown(some && across.cell(some)))]
    }),
  }
}

/** What nobody knows is a dash; a mean stands before its interval. */
function shown(value: unknown): string | number {
  if (value === null || value === undefined) return '–'
  if (typeof value === 'object') return intervalText(value as Interval)
  return typeof value === 'number' ? value : String(value)
}
