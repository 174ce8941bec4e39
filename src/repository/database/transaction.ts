import type { DuckDBConnection } from '@duckdb/node-api'

/** Does all of the work or nothing of it. */
export async function transaction(
  connection: DuckDBConnection,
  work: () => Promise<void>,
): Promise<void> {
  await connection.run('BEGIN')
  try {
    await work()
    await connection.run('COMMIT')
  } catch (error) {
    await connection.run('ROLLBACK').catch(() => {})
    throw error
  }
}
