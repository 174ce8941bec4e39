import type { Field, Tables } from './rows.ts'

/** What every view has: the table it is of, and which of its rows it shows. */
interface Shown<Name, Row> {
  readonly of: Name
  /** Rows to be shown, all if left out. */
  readonly pick?: (rows: readonly Row[]) => readonly Row[]
  /** A picture or table for each value, which stands in the title. */
  readonly each?: Field<Row>
}

interface Picture<Name, Row> extends Shown<Name, Row> {
  readonly title: string | ((rows: readonly Row[]) => string)
  /** What an axis shows; by default what its field is called. */
  readonly xLabel?: string
  readonly yLabel?: string
}

type Parts<Row> = readonly (readonly [name: string, of: Field<Row>])[]

/** A line for each policy, or whatever `by` says; what several rows say of one point is averaged. */
export interface LinesView<Name, Row, Found> extends Picture<Name, Row> {
  readonly as: 'lines'
  readonly by?: Field<Row>
  readonly x: Field<Row>
  /** Heights; several names and fields make a line each. */
  readonly y: Field<Row> | Parts<Row>
  readonly logX?: boolean
  /** Lower and upper bound of each point. */
  readonly band?: readonly [Field<Row>, Field<Row>]
  /** A height that no line can pass. */
  readonly ceiling?: (
    rows: readonly Row[],
    found: Found,
  ) => { readonly name: string; readonly y: number } | undefined
}

/** A bar for each policy, or whatever `by` says, of one part or of several; rows of one bar are averaged. */
export interface BarsView<Name, Row> extends Picture<Name, Row> {
  readonly as: 'bars'
  readonly by?: Field<Row>
  readonly y: Field<Row> | Parts<Row>
}

/** A cloud of points for each value of `by`, on two logarithmic axes. */
export interface PointsView<Name, Row> extends Picture<Name, Row> {
  readonly as: 'points'
  readonly by: Field<Row>
  readonly x: Field<Row>
  readonly y: Field<Row>
  /** The cloud whose points stand out, such as means of the others. */
  readonly large?: string
  /** The axes are of different quantities, so each has its own range. */
  readonly ownScales?: boolean
}

/** A field under its own name, or under another. */
type Column<Row> = (keyof Row & string) | readonly [header: string, of: Field<Row>]

/** A line for each row; or, with `across`, for all rows that the columns do not tell apart. */
export interface TableView<Name, Row, Found> extends Shown<Name, Row> {
  readonly as: 'table'
  readonly caption: string | ((rows: readonly Row[], found: Found) => string)
  /** All numbers and words of the rows if left out. */
  readonly columns?: readonly Column<Row>[]
  /** More columns, one for each value of a field, made of the rows that have it. */
  readonly across?: {
    readonly by: Field<Row>
    readonly cell: (rows: readonly Row[]) => unknown
  }
  /** Whether it is only printed with --all; reports have it anyway. */
  readonly isDetail?: boolean
}

type ViewOf<Name, Row, Found> =
  | LinesView<Name, Row, Found>
  | BarsView<Name, Row>
  | PointsView<Name, Row>
  | TableView<Name, Row, Found>

/** How one of an experiment's tables is shown; views are data, and drawn by one mechanism. */
export type View<Found extends Tables> = {
  [Name in keyof Found & string]: ViewOf<Name, Found[Name][number], Found>
}[keyof Found & string]
