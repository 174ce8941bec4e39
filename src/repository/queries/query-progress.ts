import type { DuckDBConnection } from '@duckdb/node-api'
import type { TrackedProgress } from '#learn/entries/entry.ts'
import type { QueryProgress } from '#workload/improvability.ts'
import { appendRows } from '../database/append-columns.ts'
import { namedRows } from '../database/named-rows.ts'
import { QUERY_PROGRESS, REMEMBERED_CYCLES } from '../tables/query-tables.ts'

/** Notes what a cycle did for the queries, so that improvability can be learnt. */
export async function appendQueryProgress(
  connection: DuckDBConnection,
  cycle: number,
  progress: readonly TrackedProgress[],
): Promise<void> {
  const rows = progress.map(({ query, averageScore, newResults }) => ({
    ...{ cycle, query, average_score: averageScore, new_results: newResults },
  }))
  await appendRows(connection, QUERY_PROGRESS, rows)
}

/** What the last cycles did for the queries. */
export function loadQueryProgress(connection: DuckDBConnection): Promise<QueryProgress[]> {
  return namedRows(
    connection,
    `SELECT average_score AS "averageScore", new_results AS "newResults" FROM query_progress
     WHERE cycle > (SELECT max(cycle) FROM query_progress) - ${REMEMBERED_CYCLES}
     ORDER BY cycle, query`,
    { averageScore: Number, newResults: Number },
  )
}
