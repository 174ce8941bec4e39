/** The rows of an experiment by the names of its tables; `rows` is the one that results are compared by. */
export type Tables = Readonly<Record<string, readonly object[]>>

/** What of a row: the name of a field, or a function of the row. */
export type Field<Row> = (keyof Row & string) | ((row: Row) => unknown)

export function cellOf<Row>(row: Row, field: Field<Row>): unknown {
  return typeof field === 'function' ? field(row) : row[field]
}

/** The numbers of some rows; rows without one are left out. */
export function numbersOf<Row>(rows: readonly Row[], field: Field<Row>): number[] {
  return rows
    .map((row) => cellOf(row, field))
    .filter((value) => typeof value === 'number' && Number.isFinite(value)) as number[]
}

/** Undefined if no row has a number. */
export function meanOf<Row>(rows: readonly Row[], field: Field<Row>): number | undefined {
  const numbers = numbersOf(rows, field)
  if (numbers.length === 0) return undefined
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length
}

/** Rows with the same value together, in the order in which values come first. */
export function groupsBy<Row>(rows: readonly Row[], field: Field<Row>): Map<string, Row[]> {
  return Map.groupBy(rows, (row) => String(cellOf(row, field)))
}

/** As in "1 archive" and "2 archives". */
export function archivesOf(rows: readonly { readonly archive: string }[]): string {
  const { size } = new Set(rows.map(({ archive }) => archive))
  return `${size} ${size === 1 ? 'archive' : 'archives'}`
}
