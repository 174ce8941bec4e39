import type { JournalEntry } from '#crawl/ports.ts'
import type { WarcPlace } from '#learn/entries/fetch-entry.ts'
import type { Exchange, KeptExchanges, RobotsExchange } from '#learn/entries/outcome.ts'

/** Keeps exchanges; `warc/write/warc-writer.ts` is one. */
export interface WarcSink {
  append(exchange: Exchange, entry: JournalEntry): WarcPlace
  appendRobots(robots: RobotsExchange): void
  /** A worker has kept these; gives the place of the fetch's own exchange, if it is among them. */
  note(kept: KeptExchanges): WarcPlace | undefined
  /** From here on what was appended outlives a power cut too. */
  sync(): void
}
