import type { DuckDBConnection } from '@duckdb/node-api'
import { SettingError } from '#errors/setting-error.ts'
import { COLUMN_KINDS } from '../database/column-kinds.ts'
import type { Table } from '../database/define-table.ts'
import { namedRows } from '../database/named-rows.ts'
import { transaction } from '../database/transaction.ts'
import { CRAWL_TABLES, FIRST_VERSION, SCHEMA_VERSION } from './crawl-tables.ts'

/**
 * Creates the tables, or brings an older directory up to this program's version: it gets the tables and columns that
 * it lacks, by their names.
 */
export async function migrate(
  connection: DuckDBConnection,
  dir: string,
  target = SCHEMA_VERSION,
): Promise<void> {
  const version = await storedVersion(connection, dir)
  await connection.run('CREATE TABLE IF NOT EXISTS meta (key VARCHAR, value VARCHAR)')
  if (version >= target) return
  const there = new Set(await columnNames(connection))
  await transaction(connection, async () => {
    for (const table of CRAWL_TABLES) {
      const sinceOf = (column: string) => table.columns[column].since ?? FIRST_VERSION
      const due = table.stored.filter((column) => sinceOf(column) <= target)
      const lacking = due.filter((column) => !there.has(`${table.name}.${column}`))
      if (lacking.length === 0) continue
      if (lacking.length === due.length) await createTable(connection, table, lacking)
      else await addColumns(connection, table, lacking)
    }
    await writeMeta(connection, 'schema_version', String(target))
  })
}

async function createTable(
  connection: DuckDBConnection,
  table: Table,
  columns: readonly string[],
): Promise<void> {
  const declared = columns.map((column) => `${column} ${typeOf(table, column)}`)
  await connection.run(`CREATE TABLE ${table.name} (${declared.join(', ')})`)
}

async function addColumns(
  connection: DuckDBConnection,
  table: Table,
  columns: readonly string[],
): Promise<void> {
  for (const column of columns)
    await connection.run(`ALTER TABLE ${table.name} ADD COLUMN ${column} ${typeOf(table, column)}`)
}

function typeOf(table: Table, column: string): string {
  return String(COLUMN_KINDS[table.columns[column].kind].type)
}

/** The version of a directory's tables, 0 before there are any; complains about those this program cannot know. */
export async function storedVersion(connection: DuckDBConnection, dir: string): Promise<number> {
  // Ours always come with a `meta` that knows them. To ask for all columns takes longer than the rest of an opening.
  const meta = await readMeta(connection).catch(nothingIfOtherwise)
  const version = Number(meta?.get('schema_version') ?? 0)
  if (version === 0 && (await holdsOthers(connection)))
    throw new SettingError(
      'dir',
      `${dir} has a state.duckdb that Forager did not make: choose another {dir}`,
    )
  if (version > SCHEMA_VERSION)
    throw new SettingError(
      'dir',
      `${dir} was written by a newer Forager (format ${version}; this program knows ${SCHEMA_VERSION}): update Forager or choose another {dir}`,
    )
  return version
}

/** There is no such table, or it has other columns. */
function nothingIfOtherwise(error: Error): undefined {
  if (!/^(Catalog|Binder) Error/.test(error.message)) throw error
}

/** Whether there are tables of another program: all but an empty `meta`, as a kill may leave it. */
async function holdsOthers(connection: DuckDBConnection): Promise<boolean> {
  const names = await columnNames(connection)
  return names.some((name) => name !== 'meta.key' && name !== 'meta.value')
}

async function columnNames(connection: DuckDBConnection): Promise<string[]> {
  const columns = await namedRows(
    connection,
    `SELECT table_name || '.' || column_name AS name FROM duckdb_columns()
     WHERE schema_name = 'main' AND NOT internal`,
    { name: String },
  )
  return columns.map(({ name }) => name)
}

/** The directory's own settings, by key. */
export async function readMeta(connection: DuckDBConnection): Promise<Map<string, string>> {
  const shape = { key: String, value: String }
  const settings = await namedRows(connection, 'SELECT key, value FROM meta', shape)
  return new Map(settings.map(({ key, value }) => [key, value]))
}

export async function writeMeta(
  connection: DuckDBConnection,
  key: string,
  value: string,
): Promise<void> {
  await connection.run('DELETE FROM meta WHERE key = $key', { key })
  await connection.run('INSERT INTO meta (key, value) VALUES ($key, $value)', { key, value })
}

export async function writeMetas(
  connection: DuckDBConnection,
  values: Readonly<Record<string, string>> = {},
): Promise<void> {
  for (const [key, value] of Object.entries(values)) await writeMeta(connection, key, value)
}
