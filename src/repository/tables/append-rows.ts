import type { DuckDBConnection } from '@duckdb/node-api'
import { appendColumns, type BulkColumn } from '../database/append-columns.ts'

/** The tables that imports of query logs write, and the types of their columns: i is a whole number, d a fraction, t a text. */
export const QUERY_TABLES = {
  query_import: 'itttiddtii',
  query: 'it',
  asked: 'iiddt',
  impression: 'iidtddt',
  click: 'iidtdddt',
  judgment: 'iitd',
} as const

export type QueryTable = keyof typeof QUERY_TABLES
export type TableRow = readonly (number | string | null)[]

/** Appends rows to a table of query logs. */
export async function appendRows(
  connection: DuckDBConnection,
  table: QueryTable,
  rows: readonly TableRow[],
): Promise<void> {
  const columns = [...QUERY_TABLES[table]].map((type, column): BulkColumn => {
    const values = rows.map((row) => row[column])
    if (type === 't') return { type: 'text', values: values as (string | null)[] }
    // JSON has no Infinity: in the log it is a text.
    const numbers = values.map((value) => (typeof value === 'string' ? Number(value) : value))
    return { type: type === 'i' ? 'bigint' : 'double', values: numbers }
  })
  await appendColumns(connection, table, columns)
}
