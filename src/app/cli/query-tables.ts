import type { DuckDBConnection } from '@duckdb/node-api'
import { UsageError } from '#parse/usage-error.ts'
import { openDatabase } from '#repository/state/open-database.ts'
import { migrate } from '#repository/state/schema.ts'
import { takeInOpenSearchEvents } from '#repository/state/search-events.ts'
import { holdsCrawl } from './open-crawl.ts'

/** Said wherever the queries were not asked by anybody. */
export const SYNTHETIC_NOTE =
  'synthetic workload: no query log was imported, so these queries were made from titles and anchors'

/** Does something with the tables of a directory, with all that its search page has logged taken in. */
export async function withQueries<T>(
  dir: string,
  work: (connection: DuckDBConnection) => Promise<T>,
  { create = false } = {},
): Promise<T> {
  if (!create && !holdsCrawl(dir))
    throw new UsageError(
      `there is nothing in ${dir}: start with forager crawl or forager queries import, or name another --dir`,
    )
  const { connection, close } = await openDatabase(dir)
  try {
    await migrate(connection, dir)
    await takeInOpenSearchEvents(connection, dir, Date.now() / 1000)
    return await work(connection)
  } finally {
    close()
  }
}
