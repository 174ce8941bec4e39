import type { DuckDBConnection, DuckDBDataChunk } from '@duckdb/node-api'
import { COLUMN_KINDS, type Items } from './column-kinds.ts'
import type { Column, ColumnKind, Table } from './define-table.ts'

/** Some thousands of rows, column by column. */
interface ReadRows<T extends Table, Name extends keyof T['columns']> {
  readonly rowCount: number
  readonly columns: {
    readonly [N in Name]: T['columns'][N] extends Column<never, infer Kind, infer Word>
      ? Items<Word>[Kind]
      : never
  }
}

/** Reads columns of a table by name; `rest` is SQL that says which rows, and in which order. */
export async function* readColumns<T extends Table, Name extends keyof T['columns'] & string>(
  connection: DuckDBConnection,
  table: T,
  names: readonly Name[],
  rest = '',
): AsyncGenerator<ReadRows<T, Name>> {
  const read = names.map((name) => ({ name, column: table.columns[name] as Column<unknown> }))
  const selected = read.map(({ name, column }) => {
    const { sql } = COLUMN_KINDS[column.kind]
    return `${sql(column.sql ?? name, column as never)} AS ${name}`
  })
  const sql = `SELECT ${selected.join(', ')} FROM ${table.name} ${rest}`
  for await (const chunk of chunksOf(connection, sql)) {
    const columns = read.map(({ name, column }, index) => {
      const { items } = COLUMN_KINDS[column.kind as ColumnKind]
      return [name, items(chunk.getColumnVector(index), column as never)]
    })
    yield { rowCount: chunk.rowCount, columns: Object.fromEntries(columns) }
  }
}

/** The rows of a query, some thousands at a time. */
async function* chunksOf(
  connection: DuckDBConnection,
  sql: string,
): AsyncGenerator<DuckDBDataChunk> {
  const result = await connection.stream(sql)
  let coming = result.fetchChunk()
  try {
    for (let chunk = await coming; chunk && chunk.rowCount > 0; chunk = await coming) {
      coming = result.fetchChunk() // read while this one is taken up
      yield chunk
    }
  } finally {
    await coming.catch(() => undefined) // whoever left early may ask something else at once
  }
}
