import { randomUUID } from 'node:crypto'
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder } from '#repository/make-folder.ts'
import { searchEventLine } from '#repository/queries/search-event-lines.ts'
import { SEARCH_EVENT_FOLDER, type SearchEvent } from '#workload/formats/ubi.ts'
import { LogRotation, type LogState } from './log-rotation.ts'
import type { ResultLink } from './search-links.ts'

/** Where a crawl's own query log lies. */
export function queryLogFolder(dir: string): string {
  return join(dir, SEARCH_EVENT_FOLDER)
}

/** A search as the log sees it. */
interface NotedSearch {
  /** `search-page` or `search-api`. */
  readonly application: string
  readonly clientId?: string
  readonly text: string
  readonly offset: number
  readonly total: number
  /** URLs of the results shown. */
  readonly shown: readonly string[]
}

/** The same question of the same client within this time is the same search: a reload, a next page. */
const SAME_SEARCH_MS = 30 * 60_000
const MOST_REMEMBERED = 5_000
/** Of all logs together: some two million searches, at about 500 bytes each. */
export const MOST_LOG_BYTES = 2 ** 30

/**
 * Logs searches and clicks as UBI records, one JSON object a line, a file a day. It knows a random client id and
 * nothing else of people. A search is logged once, with the results of its first page.
 */
export class QueryLog {
  readonly #folder: string
  readonly #now: () => number
  readonly #onFailure: (error: Error) => void
  readonly #files: LogRotation
  /** By client and text, in the order they were asked. */
  readonly #recent = new Map<string, { id: string; at: number }>()
  #hasFailed = false

  /** `now` gives milliseconds since 1970. */
  constructor(
    folder: string,
    now: () => number,
    onFailure: (error: Error) => void,
    mostBytes = MOST_LOG_BYTES,
  ) {
    this.#folder = folder
    this.#now = now
    this.#onFailure = onFailure
    makeFolder(folder, 0o700)
    this.#files = new LogRotation(folder, mostBytes)
  }

  get state(): LogState {
    return this.#files.state
  }

  /** Logs a search unless it was logged already; gives its id. */
  noteSearch(search: NotedSearch): string {
    const { application, clientId, text, offset, total, shown } = search
    const at = this.#now()
    const key = clientId === undefined ? undefined : `${clientId} ${text}`
    const known = key === undefined ? undefined : this.#recent.get(key)
    if (known && Math.abs(at - known.at) < SAME_SEARCH_MS) return known.id
    const id = randomUUID()
    if (key !== undefined) this.#remember(key, id, at)
    this.#write({
      application,
      query_id: id,
      client_id: clientId,
      user_query: text,
      timestamp: new Date(at).toISOString(),
      query_attributes: { total, offset: offset || undefined },
      object_id_field: 'url',
      // Readers take these for the best results: those of a later page are not.
      query_response_hit_ids: offset === 0 ? shown : undefined,
    })
    return id
  }

  /** Logs a click on a result. */
  noteChoice({ url, queryId, rank }: ResultLink, clientId: string | undefined): void {
    this.#write({
      application: 'search-page',
      action_name: 'click',
      query_id: queryId,
      client_id: clientId,
      timestamp: new Date(this.#now()).toISOString(),
      event_attributes: {
        object: { object_id: url, object_id_field: 'url' },
        position: { ordinal: rank },
      },
    })
  }

  #remember(key: string, id: string, at: number): void {
    this.#recent.delete(key)
    this.#recent.set(key, { id, at })
    if (this.#recent.size > MOST_REMEMBERED) this.#recent.delete(this.#recent.keys().next().value!)
  }

  /** A full disk or log must not keep people from searching. The first of several failures is reported. */
  #write(event: SearchEvent): void {
    try {
      const line = Buffer.from(searchEventLine(event))
      const name = this.#files.nameFor(event.timestamp.slice(0, 10), line.length)
      if (name === undefined) throw new Error(fullText(this.#files.state))
      appendFileSync(join(this.#folder, name), line, { mode: 0o600 })
      this.#hasFailed = false
    } catch (error) {
      if (!this.#hasFailed) this.#onFailure(error as Error)
      this.#hasFailed = true
    }
  }
}

function fullText({ mostBytes }: LogState): string {
  return `the logs have reached their limit of ${mostBytes.toLocaleString('en')} bytes, and none is taken in whole: run a crawl or forager queries import, or give a larger --query-log-size`
}
