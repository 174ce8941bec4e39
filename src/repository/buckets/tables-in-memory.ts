import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { COLUMN_KINDS } from '../database/column-kinds.ts'
import type { Table } from '../database/define-table.ts'
import { sqlText } from '../database/sql-text.ts'

/** Where rows are read that were written before; what is new goes into tables of the usual names. */
const KNOWN = 'known'

/** Tables in memory: those written before are read where they lie, and what is appended can be written beside them. */
export interface TablesInMemory extends Disposable {
  readonly connection: DuckDBConnection
}

/** One thread, and rows in their order: the same rows make the same bytes. */
export async function openInMemory(): Promise<TablesInMemory> {
  const instance = await DuckDBInstance.create(':memory:', {
    memory_limit: '512MB',
    threads: '1',
    autoinstall_known_extensions: 'false',
  })
  const connection = await instance.connect()
  return {
    connection,
    [Symbol.dispose]: () => {
      connection.closeSync()
      instance.closeSync()
    },
  }
}

/** Makes empty tables, and lets whoever reads them find the rows of those files instead. */
export async function readWhereTheyLie(
  connection: DuckDBConnection,
  tables: readonly Table[],
  filesOf: (table: string) => readonly string[],
): Promise<void> {
  await connection.run(`CREATE SCHEMA ${KNOWN}`)
  for (const table of tables) {
    await createTable(connection, table)
    const files = filesOf(table.name)
    // Of a table that has no file yet nothing is known: what is new must not be read as if it were.
    const rows = files.length > 0 ? fromFiles(files) : `(FROM main.${table.name} LIMIT 0)`
    await connection.run(`CREATE VIEW ${KNOWN}.${table.name} AS SELECT * FROM ${rows}`)
  }
  await connection.run(`SET search_path = '${KNOWN},main'`)
}

/** From now on the tables are those that are appended to. */
export async function readWhatIsNew(connection: DuckDBConnection): Promise<void> {
  await connection.run("SET search_path = 'main'")
}

export async function createTable(connection: DuckDBConnection, table: Table): Promise<void> {
  const columns = table.stored.map(
    (name) => `${name} ${String(COLUMN_KINDS[table.columns[name].kind].type)}`,
  )
  await connection.run(`CREATE TABLE ${table.name} (${columns.join(', ')})`)
}

/** Writes rows, given as SQL, into a Parquet file. */
export async function writeParquet(
  connection: DuckDBConnection,
  rows: string,
  path: string,
): Promise<void> {
  await connection.run(`COPY (FROM ${rows}) TO ${sqlText(path)} (FORMAT parquet, COMPRESSION zstd)`)
}

/** All rows that were written before and those that are new, as SQL. */
export function allRows(table: Table): string {
  return `(SELECT * FROM ${KNOWN}.${table.name} UNION ALL SELECT * FROM main.${table.name})`
}

/** SQL of the rows of files, one after the other. */
export function fromFiles(files: readonly string[]): string {
  return `read_parquet([${files.map(sqlText).join(', ')}], union_by_name = true, hive_partitioning = false)`
}

/** A number as SQL, exactly: a bare one is read as a decimal, which may become another double than it was. */
export function sqlDouble(value: number): string {
  return `'${value}'::DOUBLE`
}
