import type { DuckDBConnection } from '@duckdb/node-api'
import type { Table } from './define-table.ts'
import { namedRow, namedRows } from './named-rows.ts'

/** Ids read at once: enough to be quick, few enough to need little memory. */
export const IDS_AT_ONCE = 1 << 18
const TEXTS_A_ROW = 1_024
const SEPARATOR = '\n'

/**
 * The texts of a column whose ids are in [from, to), in their order; '' for none. They are read joined together, a
 * thousand a row: DuckDB's library gives texts one by one, which is five times slower.
 */
export async function readTexts<T extends Table>(
  connection: DuckDBConnection,
  { name: table }: T,
  { id, text }: { readonly id: Name<T>; readonly text: Name<T> },
  from: number,
  to: number,
): Promise<string[]> {
  const group = `${id} // ${TEXTS_A_ROW}`
  const groups = await namedRows(
    connection,
    `SELECT ${group} AS number, count(*) AS count,
            string_agg(coalesce(${text}, ''), chr(10) ORDER BY ${id}) AS joined
     FROM ${table} WHERE ${id} >= ${from} AND ${id} < ${to} GROUP BY ${group} ORDER BY ${group}`,
    { number: Number, count: Number, joined: String },
  )
  const texts: string[] = []
  for (const { number, count, joined } of groups) {
    const parts = joined.split(SEPARATOR)
    // Should a text hold a line feed itself, its group is read the slow way.
    const sure = parts.length === count ? parts : await readSingly(number * TEXTS_A_ROW)
    for (const part of sure) texts.push(part)
  }
  return texts

  async function readSingly(first: number): Promise<string[]> {
    const start = Math.max(from, first)
    const end = Math.min(to, first + TEXTS_A_ROW)
    const single = await namedRows(
      connection,
      `SELECT coalesce(${text}, '') AS text FROM ${table}
       WHERE ${id} >= ${start} AND ${id} < ${end} ORDER BY ${id}`,
      { text: String },
    )
    return single.map(({ text }) => text)
  }
}

type Name<T extends Table> = keyof T['columns'] & string

/** One more than the largest id of a table; 0 if it is empty. */
export async function endOfIds<T extends Table>(
  connection: DuckDBConnection,
  { name }: T,
  id: Name<T>,
): Promise<number> {
  const sql = `SELECT coalesce(max(${id}) + 1, 0) AS next FROM ${name}`
  return (await namedRow(connection, sql, { next: Number })).next
}
