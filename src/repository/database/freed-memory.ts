import type { DuckDBConnection } from '@duckdb/node-api'
import { giveBackMemory } from './open-database.ts'

/** So much more than was left last time may be holes between what is in use. */
const WORTHWHILE_BYTES = 16 * 2 ** 20

/** DuckDB gives nothing back sooner than a tenth of a second after it did. */
const REST_MS = 110
/** To look takes as long as learning a page's links; meanwhile little can grow. */
const LOOK_MS = 20

/** Gives the system what the process has freed. Plans and long pages leave tens of megabytes in the midst of a cycle. */
export class FreedMemory {
  readonly #connection: DuckDBConnection
  #left = 0
  #readyAtMs = 0

  constructor(connection: DuckDBConnection) {
    this.#connection = connection
  }

  async giveBack(): Promise<void> {
    await giveBackMemory(this.#connection)
    this.#left = process.memoryUsage.rss()
    this.#readyAtMs = performance.now() + REST_MS
  }

  /** If the process has grown since the last time. */
  async giveBackIfGrown(): Promise<void> {
    const now = performance.now()
    if (now < this.#readyAtMs) return
    this.#readyAtMs = now + LOOK_MS
    const taken = process.memoryUsage.rss()
    this.#left = Math.min(this.#left, taken)
    if (taken - this.#left >= WORTHWHILE_BYTES) await this.giveBack()
  }
}
