import type { DuckDBConnection } from '@duckdb/node-api'
import type { HostState, HostTrust, RobotsRecord } from '#crawl/ports.ts'
import { MAX_ORIGINS } from '#fetch/robots/robots-cache.ts'
import { appendColumns } from '../database/append-columns.ts'
import type { KeyedText, MemoryRows } from '../log/kept-log.ts'

/** Who knows what must not be forgotten: a fetcher of the live web. */
export interface FetcherMemorySource {
  /** Hosts not listed need no remembering. */
  hostStates(): readonly HostState[]
  /** Those of origins asked since then; seconds since 1970. */
  robotsRecords(since?: number): readonly RobotsRecord[]
  /** Whose 304s are to be believed. */
  hostTrusts(): readonly HostTrust[]
}

/** What a fetcher of an earlier run knew. */
export interface FetcherMemory {
  readonly hostStates: readonly HostState[]
  readonly robotsRecords: readonly RobotsRecord[]
  readonly hostTrusts: readonly HostTrust[]
}

/** The state of a host that needs none any more. */
const FORGOTTEN = ''

/** Reads back what `appendMemory` appended: the latest row of each host and origin. */
export async function readFetcherMemory(connection: DuckDBConnection): Promise<FetcherMemory> {
  const hostStates = await latest<HostState>(
    connection,
    'SELECT arg_max(state, rowid) FROM host_state GROUP BY host',
  )
  const robotsRecords = await latest<RobotsRecord>(
    connection,
    // However old: a last good copy counts again when its file is given up.
    `SELECT arg_max(record, rowid) FROM robots GROUP BY origin ORDER BY max(rowid) DESC LIMIT ${MAX_ORIGINS}`,
  )
  const hostTrusts = await latest<HostTrust>(
    connection,
    'SELECT arg_max(trust, rowid) FROM host_trust GROUP BY host',
  )
  return { hostStates, robotsRecords, hostTrusts }
}

async function latest<T>(connection: DuckDBConnection, sql: string): Promise<T[]> {
  const reader = await connection.runAndReadAll(sql)
  const texts = reader.getRows().map(([text]) => String(text))
  return texts.filter((text) => text !== FORGOTTEN).map((text) => JSON.parse(text))
}

/** Knows what has changed since the last time. */
export class MemoryKeeper {
  readonly #source: FetcherMemorySource
  readonly #states: WrittenHosts
  readonly #trusts: WrittenHosts
  #robotsSince: number

  constructor(source: FetcherMemorySource, before: FetcherMemory, now: number) {
    this.#source = source
    this.#states = new WrittenHosts(before.hostStates)
    this.#trusts = new WrittenHosts(before.hostTrusts)
    this.#robotsSince = now
  }

  /** What is to be written at the end of a cycle. */
  changes(now: number): MemoryRows {
    const records = this.#source.robotsRecords(this.#robotsSince)
    this.#robotsSince = now
    return {
      host_state: this.#states.changed(this.#source.hostStates()),
      host_trust: this.#trusts.changed(this.#source.hostTrusts()),
      robots: records.map((record) => [record.origin, JSON.stringify(record)]),
    }
  }
}

/** Appends what a fetcher must not forget; runs inside the commit of a cycle. */
export async function appendMemory(
  connection: DuckDBConnection,
  rows: MemoryRows,
  now: number,
): Promise<void> {
  await appendTexts(connection, 'host_state', rows.host_state, now)
  await appendTexts(connection, 'host_trust', rows.host_trust, now)
  await appendTexts(connection, 'robots', rows.robots, now)
}

function appendTexts(
  connection: DuckDBConnection,
  table: string,
  rows: readonly KeyedText[],
  now: number,
): Promise<void> {
  return appendColumns(connection, table, [
    { type: 'text', values: rows.map(([key]) => key) },
    { type: 'double', values: rows.map(() => now) },
    { type: 'text', values: rows.map(([, text]) => text) },
  ])
}

/** What was last written of each host. */
class WrittenHosts {
  readonly #written: Map<string, string>

  constructor(before: readonly { readonly host: string }[]) {
    this.#written = new Map(before.map((state) => [state.host, JSON.stringify(state)]))
  }

  /** What is to be written now that this is known, and nothing of other hosts. */
  changed(states: readonly { readonly host: string }[]): KeyedText[] {
    const listed = new Map(states.map((state) => [state.host, JSON.stringify(state)]))
    const gone = [...this.#written.keys()].filter((host) => !listed.has(host))
    const changed = [...listed].filter(([host, state]) => this.#written.get(host) !== state)
    for (const host of gone) this.#written.delete(host)
    for (const [host, state] of changed) this.#written.set(host, state)
    return [...changed, ...gone.map((host): KeyedText => [host, FORGOTTEN])]
  }
}
