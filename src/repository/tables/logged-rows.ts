import type { DuckDBConnection } from '@duckdb/node-api'
import { appendColumns } from '../database/append-columns.ts'
import type { ColumnKind, Table } from '../database/define-table.ts'
import type { QueryRow } from '../log/kept-log.ts'
import { QUERY_TABLES } from './query-tables.ts'

type QueryTable = (typeof QUERY_TABLES)[number]

/** Rows that an import left in the tables, as the log keeps them: the values of all columns, the oldest columns first. */
export async function* rowsForLog(
  connection: DuckDBConnection,
  { name, stored }: QueryTable,
  which: string,
): AsyncGenerator<QueryRow> {
  const result = await connection.stream(`SELECT ${stored.join(', ')} FROM ${name} WHERE ${which}`)
  for await (const rows of result.yieldRows())
    for (const row of rows) yield [name, ...row.map(inJson)]
}

/** Appends rows as the log has them. A row of an older program lacks the columns that have come since. */
export async function appendLogged(
  connection: DuckDBConnection,
  tableName: string,
  rows: readonly (readonly unknown[])[],
): Promise<void> {
  const table = QUERY_TABLES.find(({ name }) => name === tableName)
  if (!table) throw new Error(`the log has rows of a table ${tableName}, which is unknown`)
  const columns = table.stored.map((name, place) => {
    const { kind } = (table as Table).columns[name]
    return [name, rows.map((row) => fromJson(row[place], kind))]
  })
  await appendColumns(connection, table as Table, rows.length, Object.fromEntries(columns))
}

/** JSON has no Infinity: in the log it is a text. */
function inJson(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value)
  return typeof value === 'number' && !Number.isFinite(value) ? String(value) : value
}

function fromJson(value: unknown, kind: ColumnKind): unknown {
  return typeof value === 'string' && kind !== 'text' ? Number(value) : value
}
