import type { DuckDBConnection } from '@duckdb/node-api'
import { SettingError } from '#errors/setting-error.ts'
import { holdsCrawl } from '../database/crawl-folder.ts'
import { type OpenDatabase, openDatabaseToRead } from '../database/open-database.ts'
import { storedVersion } from './schema.ts'

/**
 * Asks the tables of a directory, for checks of other files that go by them. Undefined before there are any, and if they
 * are in use or damaged: that is told by who checks the tables.
 */
export async function askReadableTables<T>(
  dir: string,
  ask: (connection: DuckDBConnection) => Promise<T>,
): Promise<T | undefined> {
  if (!holdsCrawl(dir)) return undefined
  let opened: OpenDatabase | undefined
  try {
    opened = await openDatabaseToRead(dir)
    if ((await storedVersion(opened.connection, dir)) === 0) return undefined
    return await ask(opened.connection)
  } catch (error) {
    // DuckDB's own errors have no class, but say their kind, as in "IO Error: …".
    if (error instanceof SettingError || / Error: /.test((error as Error).message)) return undefined
    throw error
  } finally {
    opened?.close()
  }
}
