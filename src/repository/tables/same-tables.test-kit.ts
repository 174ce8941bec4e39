import { DuckDBInstance } from '@duckdb/node-api'
import { CRAWL_TABLES } from './crawl-tables.ts'
import { tableNames } from './table-base.ts'

/** The tables of one file whose rows are not those of another, with how many differ. */
export async function differingTables(one: string, other: string): Promise<string[]> {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  const count = async (sql: string) =>
    Number((await connection.runAndReadAll(`SELECT count(*) FROM (${sql})`)).getRows()[0][0])
  await connection.run(`ATTACH '${one}' AS one (READ_ONLY)`)
  await connection.run(`ATTACH '${other}' AS other (READ_ONLY)`)
  await connection.run('USE one')
  const differing: string[] = []
  for (const name of await tableNames(connection)) {
    // Rows lie in the order in which they were appended, and readers count on that. Settings have none.
    const columns = CRAWL_TABLES.find((table) => table.name === name)?.stored ?? []
    const read = name === 'meta' ? '*' : ['rowid', ...columns].join()
    const rows = (file: string) => `SELECT ${read} FROM ${file}.${name}`
    const more = await count(`${rows('one')} EXCEPT ALL ${rows('other')}`)
    const less = await count(`${rows('other')} EXCEPT ALL ${rows('one')}`)
    if (more + less > 0) differing.push(`${name}: ${more} more, ${less} less`)
  }
  connection.closeSync()
  instance.closeSync()
  return differing
}
