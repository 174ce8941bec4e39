import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api'

/** What to make of the columns of a query, by name. */
type Shape = Readonly<Record<string, (value: DuckDBValue) => unknown>>
type RowOf<S extends Shape> = { readonly [Name in keyof S]: ReturnType<S[Name]> }
type Parameters = Readonly<Record<string, string | number>>

/** All rows of a query as objects: each column by its name, made into what `shape` says. */
export async function namedRows<S extends Shape>(
  connection: DuckDBConnection,
  sql: string,
  shape: S,
  parameters: Parameters = {},
): Promise<RowOf<S>[]> {
  const reader = await connection.runAndReadAll(sql, { ...parameters })
  const read = rowReader(shape, reader.columnNames())
  return reader.getRows().map(read)
}

/** The only row of a query. */
export async function namedRow<S extends Shape>(
  connection: DuckDBConnection,
  sql: string,
  shape: S,
  parameters: Parameters = {},
): Promise<RowOf<S>> {
  const rows = await namedRows(connection, sql, shape, parameters)
  if (rows.length !== 1) throw new Error(`one row expected, not ${rows.length}: ${sql}`)
  return rows[0]
}

/** How many rows there are; `rows` is SQL: the name of a table, and which of its rows. */
export async function countRows(connection: DuckDBConnection, rows: string): Promise<number> {
  return (await namedRow(connection, `SELECT count(*) AS rows FROM ${rows}`, { rows: Number })).rows
}

/** The same as `namedRows`, some at a time: for queries with more rows than should be in memory. */
export async function* streamNamedRows<S extends Shape>(
  connection: DuckDBConnection,
  sql: string,
  shape: S,
): AsyncGenerator<RowOf<S>> {
  const result = await connection.stream(sql)
  const read = rowReader(shape, result.columnNames())
  for await (const rows of result.yieldRows()) for (const row of rows) yield read(row)
}

/** Reads what may be missing; undefined if it is. */
export function maybe<T>(read: (value: DuckDBValue) => T): (value: DuckDBValue) => T | undefined {
  return (value) => (value === null ? undefined : read(value))
}

function rowReader<S extends Shape>(shape: S, columns: readonly string[]) {
  const fields = Object.entries(shape).map(([name, read]) => {
    const index = columns.indexOf(name)
    if (index < 0) throw new Error(`the query gives no ${name}, but ${columns.join(', ')}`)
    return { name, read, index }
  })
  return (row: readonly DuckDBValue[]) =>
    Object.fromEntries(fields.map(({ name, read, index }) => [name, read(row[index])])) as RowOf<S>
}
