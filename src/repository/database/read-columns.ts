import type { DuckDBConnection, DuckDBDataChunk, DuckDBVector } from '@duckdb/node-api'

/** The rows of a query, some thousands at a time. */
export async function* chunksOf(
  connection: DuckDBConnection,
  sql: string,
): AsyncGenerator<DuckDBDataChunk> {
  const result = await connection.stream(sql)
  let coming = result.fetchChunk()
  try {
    for (let chunk = await coming; chunk && chunk.rowCount > 0; chunk = await coming) {
      coming = result.fetchChunk() // read while this one is taken up
      yield chunk
    }
  } finally {
    await coming.catch(() => undefined) // whoever left early may ask something else at once
  }
}

/** The columns of a chunk, in the order of the query. */
export function vectorsOf(chunk: DuckDBDataChunk): DuckDBVector[] {
  return Array.from({ length: chunk.columnCount }, (_, i) => chunk.getColumnVector(i))
}

/** SQL for a word's place in a list: numbers are read ten times faster than words. */
export function placeIn(words: readonly string[], column: string): string {
  const list = words.map((word) => `'${word}'`).join(', ')
  return `(list_position([${list}], ${column}) - 1)::INTEGER`
}
