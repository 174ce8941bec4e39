import type { DuckDBConnection } from '@duckdb/node-api'
import { giveBackMemory } from './open-database.ts'

/** So much more than was left last time may be holes between what is in use. */
const WORTHWHILE_BYTES = 16 * 2 ** 20

/** Gives the system what the process has freed. Plans and long pages leave tens of megabytes in the midst of a cycle. */
export class FreedMemory {
  readonly #connection: DuckDBConnection
  #left = 0

  constructor(connection: DuckDBConnection) {
    this.#connection = connection
  }

  async giveBack(): Promise<void> {
    await giveBackMemory(this.#connection)
    this.#left = process.memoryUsage.rss()
  }

  /** If the process has grown since the last time: to look costs little, to give back some milliseconds. */
  async giveBackIfGrown(): Promise<void> {
    const taken = process.memoryUsage.rss()
    this.#left = Math.min(this.#left, taken)
    if (taken - this.#left >= WORTHWHILE_BYTES) await this.giveBack()
  }
}
