import { type DuckDBConnection, DuckDBDataChunk } from '@duckdb/node-api'
import { COLUMN_KINDS, type Values } from './column-kinds.ts'
import type { Column, ColumnKind, RowOf, Table } from './define-table.ts'

/** Rows a DuckDB vector holds. */
const CHUNK_ROWS = 2_048

/** Appends rows to a table; each column takes its value from them. */
export function appendRows<T extends Table>(
  connection: DuckDBConnection,
  table: T,
  rows: readonly RowOf<T>[],
): Promise<void> {
  return appendChunks(connection, table, rows.length, (from, to) => {
    const some = rows.slice(from, to)
    return (name) => some.map(table.columns[name].of)
  })
}

/** The values of all columns that a table stores, by name. */
type ColumnValues<T extends Table> = {
  readonly [Name in keyof T['columns'] as T['columns'][Name] extends { readonly sql: string }
    ? never
    : Name]: T['columns'][Name] extends Column<never, infer Kind> ? Values<Kind> : never
}

/** Appends whole columns to a table: for rows that are never objects. */
export function appendColumns<T extends Table>(
  connection: DuckDBConnection,
  table: T,
  rows: number,
  columns: ColumnValues<T>,
): Promise<void> {
  return appendChunks(connection, table, rows, (from, to) => (name) => {
    const values: Values<ColumnKind> = columns[name as keyof typeof columns]
    if ('low' in values)
      return { low: values.low.subarray(from, to), high: values.high.subarray(from, to) }
    return values instanceof Uint32Array ? values.subarray(from, to) : values.slice(from, to)
  })
}

/**
 * Appends by name, so that the order of columns in a directory does not matter. Chunks, not rows: a row appender is
 * seven times slower, a statement a row a hundred times.
 */
async function appendChunks(
  connection: DuckDBConnection,
  table: Table,
  rows: number,
  valuesIn: (from: number, to: number) => (name: string) => Values<ColumnKind>,
): Promise<void> {
  if (rows === 0) return
  const names = await columnsThere(connection, table)
  // A column that nobody declares any more stays empty.
  const kinds = names.map((name) => table.columns[name] && COLUMN_KINDS[table.columns[name].kind])
  const appender = await connection.createAppender(table.name)
  const types = kinds.map((kind, index) => kind?.type ?? appender.columnType(index))
  for (let from = 0; from < rows; from += CHUNK_ROWS) {
    const to = Math.min(rows, from + CHUNK_ROWS)
    const chunk = DuckDBDataChunk.create(types, to - from)
    const valuesOf = valuesIn(from, to)
    for (const [index, name] of names.entries()) {
      const vector = chunk.getColumnVector(index)
      const kind = kinds[index] ?? COLUMN_KINDS.text
      kind.write(vector, (kinds[index] ? valuesOf(name) : []) as never)
      vector.flush()
    }
    appender.appendDataChunk(chunk)
  }
  appender.closeSync()
}

/** The columns of a table in the order that a directory has them; all that are declared must be there. */
async function columnsThere(connection: DuckDBConnection, table: Table): Promise<string[]> {
  const reader = await connection.runAndReadAll(`SELECT * FROM ${table.name} LIMIT 0`)
  const names = reader.columnNames()
  const lacking = table.stored.find((name) => !names.includes(name))
  if (lacking) throw new Error(`the table ${table.name} has no column ${lacking}`)
  return names
}
