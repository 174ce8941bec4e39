import { isDeepStrictEqual } from 'node:util'
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
  const { names, kinds, chunk } = await chunkFor(connection, table)
  const appender = await connection.createAppender(table.name)
  for (let from = 0; from < rows; from += CHUNK_ROWS) {
    const to = Math.min(rows, from + CHUNK_ROWS)
    chunk.reset()
    chunk.rowCount = to - from
    const valuesOf = valuesIn(from, to)
    for (const [index, name] of names.entries()) {
      const vector = chunk.getColumnVector(index)
      const kind = kinds[index] ?? COLUMN_KINDS.text
      kind.write(vector, (kinds[index] ? valuesOf(name) : []) as never)
      vector.flush()
    }
    appender.appendDataChunk(chunk)
  }
  chunk.reset() // long texts are not held until the next time
  appender.closeSync()
}

/** A table as a connection appends to it: its columns in their order, and a chunk that is filled again and again. */
interface TableChunk {
  readonly names: readonly string[]
  /** Undefined for a column that nobody declares any more, which stays empty. */
  readonly kinds: readonly ((typeof COLUMN_KINDS)[ColumnKind] | undefined)[]
  readonly chunk: DuckDBDataChunk
}

/** What a chunk holds is given back only when the engine collects it, and the engine does not know how much that is. */
const chunks = new WeakMap<DuckDBConnection, Map<Table, TableChunk>>()

async function chunkFor(connection: DuckDBConnection, table: Table): Promise<TableChunk> {
  const known = chunks.get(connection) ?? new Map<Table, TableChunk>()
  chunks.set(connection, known)
  const { names, types } = await columnsThere(connection, table)
  const before = known.get(table)
  if (before && isDeepStrictEqual(before.names, names)) return before
  const kinds = names.map((name) => table.columns[name] && COLUMN_KINDS[table.columns[name].kind])
  const chunk = DuckDBDataChunk.create(kinds.map((kind, index) => kind?.type ?? types[index]))
  const made = { names, kinds, chunk }
  known.set(table, made)
  return made
}

/** The columns of a table in the order that a directory has them; all that are declared must be there. */
async function columnsThere(connection: DuckDBConnection, table: Table) {
  const reader = await connection.runAndReadAll(`SELECT * FROM ${table.name} LIMIT 0`)
  const names = reader.columnNames()
  const lacking = table.stored.find((name) => !names.includes(name))
  if (lacking) throw new Error(`the table ${table.name} has no column ${lacking}`)
  return { names, types: reader.columnTypes() }
}
