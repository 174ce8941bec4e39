import type { DuckDBConnection } from '@duckdb/node-api'
import type { KeyedText } from '../log/kept-log.ts'

/** DuckDB keeps so much of them in memory, written long since. */
const MOST_KEPT_CHARS = 4_000_000

/**
 * Texts of tables that a stranger may make long: robots.txt files of 500 KB. DuckDB keeps what does not fit into its
 * blocks in memory until a checkpoint, which comes when 16 MB were written in all.
 */
export class LongTexts {
  #chars = 0

  /** These were committed; from time to time all are let go of. */
  async letGoOf(texts: readonly KeyedText[], connection: DuckDBConnection): Promise<void> {
    this.#chars += texts.reduce((sum, [, text]) => sum + text.length, 0)
    if (this.#chars < MOST_KEPT_CHARS) return
    // While others read the tables it cannot be done: then after the next cycle.
    const isDone = await connection.run('CHECKPOINT').then(
      () => true,
      () => false,
    )
    if (isDone) this.#chars = 0
  }
}
