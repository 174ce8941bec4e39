import {
  BIGINT,
  DOUBLE,
  type DuckDBConnection,
  DuckDBDataChunk,
  type DuckDBType,
  UINTEGER,
} from '@duckdb/node-api'
import { countRows } from '../database/named-rows.ts'
import { fromFiles, writeParquet } from './tables-in-memory.ts'

/** A column of numbers: they are copied into a file and out of it as they lie in memory. */
export type TypedColumn = Uint32Array | Float64Array | BigInt64Array
type TypedColumns = Readonly<Record<string, TypedColumn>>

const CHUNK_ROWS = 2_048

/** Writes columns of one length into a Parquet file. */
export async function writeTypedColumns(
  connection: DuckDBConnection,
  columns: TypedColumns,
  path: string,
): Promise<void> {
  const names = Object.keys(columns)
  const types = names.map((name) => typeOf(columns[name]))
  const rows = columns[names[0]].length
  const declared = names.map((name, i) => `${name} ${String(types[i])} NOT NULL`)
  await connection.run(`CREATE OR REPLACE TABLE typed (${declared.join(', ')})`)
  const appender = await connection.createAppender('typed')
  const chunk = DuckDBDataChunk.create(types)
  for (let from = 0; from < rows; from += CHUNK_ROWS) {
    const to = Math.min(rows, from + CHUNK_ROWS)
    chunk.reset()
    chunk.rowCount = to - from
    for (const [index, name] of names.entries()) {
      const vector = chunk.getColumnVector(index)
      const { items } = vector as unknown as { items: TypedColumn }
      items.set(columns[name].subarray(from, to) as never)
      vector.flush()
    }
    appender.appendDataChunk(chunk)
  }
  appender.closeSync()
  await writeParquet(connection, 'typed', path)
  await connection.run('DROP TABLE typed')
}

/** Reads columns of a file back; those that it does not have are left out. */
export async function readTypedColumns(
  connection: DuckDBConnection,
  path: string,
): Promise<{ readonly rows: number; readonly columns: Record<string, TypedColumn> }> {
  const file = fromFiles([path])
  const rows = await countRows(connection, file)
  const result = await connection.stream(`SELECT * FROM ${file}`)
  const columns: Record<string, TypedColumn> = {}
  const names = result.columnNames()
  for (const [index, name] of names.entries())
    columns[name] = columnOf(String(result.columnType(index)), rows)
  let row = 0
  for (let chunk = await result.fetchChunk(); chunk && chunk.rowCount > 0; ) {
    for (const [index, name] of names.entries()) {
      const { items } = chunk.getColumnVector(index) as unknown as { items: TypedColumn }
      columns[name].set(items.subarray(0, chunk.rowCount) as never, row)
    }
    row += chunk.rowCount
    chunk = await result.fetchChunk()
  }
  return { rows, columns }
}

function typeOf(column: TypedColumn): DuckDBType {
  if (column instanceof Uint32Array) return UINTEGER
  return column instanceof Float64Array ? DOUBLE : BIGINT
}

function columnOf(type: string, rows: number): TypedColumn {
  if (type === 'UINTEGER') return new Uint32Array(rows)
  return type === 'DOUBLE' ? new Float64Array(rows) : new BigInt64Array(rows)
}
