import type { DuckDBConnection } from '@duckdb/node-api'
import type { HostState, RobotsRecord } from '#crawl/ports.ts'
import { appendColumns } from './bulk.ts'

/** Who knows what must not be forgotten: a fetcher of the live web. */
export interface FetcherMemorySource {
  /** Hosts not listed need no remembering. */
  hostStates(): readonly HostState[]
  /** Those of origins asked since then; seconds since 1970. */
  robotsRecords(since?: number): readonly RobotsRecord[]
}

/** What a fetcher of an earlier run knew. */
export interface FetcherMemory {
  readonly hostStates: readonly HostState[]
  readonly robotsRecords: readonly RobotsRecord[]
}

/** No last good copy of a robots.txt counts for longer. */
const ROBOTS_SECONDS = 30 * 86_400
/** The state of a host that needs none any more. */
const FORGOTTEN = ''

/** Reads back what `MemoryKeeper` appended: the latest row of each host and origin. */
export async function readFetcherMemory(
  connection: DuckDBConnection,
  now: number,
): Promise<FetcherMemory> {
  const hostStates = await latest<HostState>(
    connection,
    'SELECT arg_max(state, rowid) FROM host_state GROUP BY host',
  )
  const robotsRecords = await latest<RobotsRecord>(
    connection,
    `SELECT arg_max(record, rowid) FROM robots WHERE saved_at > ${now - ROBOTS_SECONDS} GROUP BY origin`,
  )
  return { hostStates, robotsRecords }
}

async function latest<T>(connection: DuckDBConnection, sql: string): Promise<T[]> {
  const reader = await connection.runAndReadAll(sql)
  const texts = reader.getRows().map(([text]) => String(text))
  return texts.filter((text) => text !== FORGOTTEN).map((text) => JSON.parse(text))
}

/** Appends what has changed since the last time; runs inside the commit of a cycle. */
export class MemoryKeeper {
  readonly #source: FetcherMemorySource
  /** States as they were last written, by host. */
  readonly #written: Map<string, string>
  #robotsSince: number

  constructor(source: FetcherMemorySource, before: FetcherMemory, now: number) {
    this.#source = source
    this.#written = new Map(before.hostStates.map((state) => [state.host, JSON.stringify(state)]))
    this.#robotsSince = now
  }

  async append(connection: DuckDBConnection, now: number): Promise<void> {
    const changed = this.#changedHosts()
    await appendColumns(connection, 'host_state', [
      { type: 'text', values: changed.map(([host]) => host) },
      { type: 'double', values: changed.map(() => now) },
      { type: 'text', values: changed.map(([, state]) => state) },
    ])
    const records = this.#source.robotsRecords(this.#robotsSince)
    this.#robotsSince = now
    await appendColumns(connection, 'robots', [
      { type: 'text', values: records.map(({ origin }) => origin) },
      { type: 'double', values: records.map(() => now) },
      { type: 'text', values: records.map((record) => JSON.stringify(record)) },
    ])
  }

  #changedHosts(): [host: string, state: string][] {
    const states = this.#source.hostStates()
    const listed = new Map(states.map((state) => [state.host, JSON.stringify(state)]))
    const gone = [...this.#written.keys()].filter((host) => !listed.has(host))
    const changed = [...listed].filter(([host, state]) => this.#written.get(host) !== state)
    for (const host of gone) this.#written.delete(host)
    for (const [host, state] of changed) this.#written.set(host, state)
    return [...changed, ...gone.map((host): [string, string] => [host, FORGOTTEN])]
  }
}
