import type { DuckDBConnection } from '@duckdb/node-api'

/** Does all of the work or nothing of it. */
export async function transaction<T>(
  connection: DuckDBConnection,
  work: () => Promise<T>,
): Promise<T> {
  await connection.run('BEGIN')
  try {
    const done = await work()
    await connection.run('COMMIT')
    return done
  } catch (error) {
    await connection.run('ROLLBACK').catch(() => {})
    throw error
  }
}
