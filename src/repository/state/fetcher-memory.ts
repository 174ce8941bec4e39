import type { DuckDBConnection } from '@duckdb/node-api'
import type { FetcherMemory, HostState, HostTrust, RobotsRecord } from '#crawl/ports.ts'
import { MAX_ORIGINS } from '#fetch/robots/robots-cache.ts'
import { appendRows } from '../database/append-columns.ts'
import { namedRows } from '../database/named-rows.ts'
import type { KeyedText, MemoryRows } from '../log/kept-log.ts'
import { HOST_STATE, HOST_TRUST, type MemoryTable, ROBOTS } from '../tables/memory-tables.ts'

/** Who knows what must not be forgotten: a fetcher of the live web. */
export interface FetcherMemorySource {
  /** Hosts not listed need no remembering; of robots.txt, those asked for since then (seconds since 1970) are listed. */
  memory(robotsSince?: number): Promise<FetcherMemory>
}

/** The state of a host that needs none any more. */
const FORGOTTEN = ''

/** Reads back what `appendMemory` appended: the latest row of each host and origin, in the same order every time. */
export async function readFetcherMemory(connection: DuckDBConnection): Promise<FetcherMemory> {
  return {
    hostStates: await latest<HostState>(connection, HOST_STATE),
    // However old: a last good copy counts again when its file is given up.
    robotsRecords: await latest<RobotsRecord>(
      connection,
      ROBOTS,
      `ORDER BY max(rowid) DESC LIMIT ${MAX_ORIGINS}`,
    ),
    hostTrusts: await latest<HostTrust>(connection, HOST_TRUST),
  }
}

async function latest<T>(
  connection: DuckDBConnection,
  { name, key, text }: MemoryTable,
  which = `ORDER BY ${key}`,
): Promise<T[]> {
  const rows = await namedRows(
    connection,
    `SELECT arg_max(${text}, rowid) AS text FROM ${name} GROUP BY ${key} ${which}`,
    { text: String },
  )
  return rows.filter(({ text }) => text !== FORGOTTEN).map(({ text }) => JSON.parse(text))
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
  async changes(now: number): Promise<MemoryRows> {
    const memory = await this.#source.memory(this.#robotsSince)
    this.#robotsSince = memory.robotsUntil ?? now
    return {
      host_state: this.#states.changed(memory.hostStates),
      host_trust: this.#trusts.changed(memory.hostTrusts),
      robots: memory.robotsRecords.map((record) => [record.origin, JSON.stringify(record)]),
    }
  }
}

/** Appends what a fetcher must not forget; runs inside the commit of a cycle. */
export async function appendMemory(
  connection: DuckDBConnection,
  rows: MemoryRows,
  now: number,
): Promise<void> {
  for (const table of [HOST_STATE, HOST_TRUST, ROBOTS]) {
    const texts: readonly KeyedText[] = rows[table.name]
    await appendRows(
      connection,
      table,
      texts.map(([key, text]) => ({ key, savedAt: now, text })),
    )
  }
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
