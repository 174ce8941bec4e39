import type { DuckDBConnection } from '@duckdb/node-api'
import type { Table } from './define-table.ts'

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
  const joined = await connection.runAndReadAll(`
    SELECT ${group}, count(*)::INTEGER, string_agg(coalesce(${text}, ''), chr(10) ORDER BY ${id})
    FROM ${table} WHERE ${id} >= ${from} AND ${id} < ${to} GROUP BY ${group} ORDER BY ${group}`)
  const texts: string[] = []
  for (const [number, count, all] of joined.getRows()) {
    const parts = String(all).split(SEPARATOR)
    // Should a text hold a line feed itself, its group is read the slow way.
    const sure = parts.length === count ? parts : await readSingly(Number(number) * TEXTS_A_ROW)
    for (const part of sure) texts.push(part)
  }
  return texts

  async function readSingly(first: number): Promise<string[]> {
    const start = Math.max(from, first)
    const end = Math.min(to, first + TEXTS_A_ROW)
    const single = await connection.runAndReadAll(
      `SELECT coalesce(${text}, '') FROM ${table} WHERE ${id} >= ${start} AND ${id} < ${end} ORDER BY ${id}`,
    )
    return single.getRows().map(([value]) => String(value))
  }
}

type Name<T extends Table> = keyof T['columns'] & string

/** One more than the largest id of a table; 0 if it is empty. */
export async function endOfIds<T extends Table>(
  connection: DuckDBConnection,
  { name }: T,
  id: Name<T>,
): Promise<number> {
  const reader = await connection.runAndReadAll(`SELECT coalesce(max(${id}) + 1, 0) FROM ${name}`)
  return Number(reader.getRows()[0][0])
}

export async function countRows(connection: DuckDBConnection, { name }: Table): Promise<number> {
  const reader = await connection.runAndReadAll(`SELECT count(*) FROM ${name}`)
  return Number(reader.getRows()[0][0])
}
