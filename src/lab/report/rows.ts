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
  const { length } = numbersOf(rows, field)
  return length === 0 ? undefined : sumOf(rows, field) / length
}

/** Rows with the same value together, in the order in which values come first. */
export function groupsBy<Row>(rows: readonly Row[], field: Field<Row>): Map<string, Row[]> {
  return Map.groupBy(rows, (row) => String(cellOf(row, field)))
}

export function sumOf<Row>(rows: readonly Row[], field: Field<Row>): number {
  return numbersOf(rows, field).reduce((sum, number) => sum + number, 0)
}

/** Rows that agree in the keys as one row: other numbers are added up, and words are those of the first. */
export function summedBy<Row extends object>(
  rows: readonly Row[],
  keys: readonly (keyof Row & string)[],
): Row[] {
  const alike = groupsBy(rows, (row) => JSON.stringify(keys.map((key) => row[key])))
  return Array.from(alike.values(), (own) => {
    const counts = Object.keys(own[0]).filter(
      (name) => !keys.includes(name as keyof Row & string),
    ) as (keyof Row & string)[]
    const numbers = counts.filter((name) => typeof own[0][name] === 'number')
    return {
      ...own[0],
      ...Object.fromEntries(numbers.map((name) => [name, sumOf(own, name)])),
    }
  })
}

/** Null where there is nothing to divide by. */
export function quotient(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole
}

/** As in "1 archive" and "2 archives". */
export function archivesOf(rows: readonly { readonly archive: string }[]): string {
  const { size } = new Set(rows.map(({ archive }) => archive))
  return `${size} ${size === 1 ? 'archive' : 'archives'}`
}

/** What a picture averages over: archives, or the only one by its name. */
export function overArchives(rows: readonly { readonly archive: string }[]): string {
  const archives = new Set(rows.map(({ archive }) => archive))
  return archives.size === 1 ? [...archives][0] : 'mean over archives'
}
