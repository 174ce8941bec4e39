import { createHash } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { type PatientOptions, patientRequest } from '../push/patient-request.ts'
import { PushError } from '../push/push-target.ts'
import type { OpenSearchAddress } from '../settings/push-address.ts'

/** A page in an index: who says so later wins, in whatever order writes arrive. */
export interface PageWrite {
  readonly url: string
  /** Milliseconds since 1970 of the fetch that told so. */
  readonly version: number
  /** What the index is to hold of it; nothing if it is to be forgotten. */
  readonly document?: object
}

/** About so much goes into one request. */
const BULK_BYTES = 4 << 20
/** Writes of items that a busy server puts off are sent again so often. */
const MOST_ROUNDS = 8
const FIRST_REST_MS = 500
const SCROLLED_AT_ONCE = 1_000
/** A server keeps a scroll so long for the next request. */
const SCROLL_TIME = '2m'
const CONFLICT = 409
const NOT_FOUND = 404

/** How indices are made that are not there: a title counts by its words, an address as a whole. */
const NEW_INDEX = {
  settings: {
    number_of_shards: 1,
    // So long a late write finds out that its page is gone.
    'index.gc_deletes': '1h',
  },
  mappings: {
    dynamic: false,
    properties: {
      url: { type: 'keyword', ignore_above: 8191 },
      host: { type: 'keyword' },
      language: { type: 'keyword', ignore_above: 64 },
      title: { type: 'text' },
      anchors: { type: 'text' },
      text: { type: 'text' },
      fetched_at: { type: 'date' },
    },
  },
}

interface BulkItem {
  readonly status: number
  readonly error?: { readonly type: string; readonly reason: string }
}

/** Speaks with one index of a server. */
export class OpenSearchClient {
  readonly address: OpenSearchAddress
  readonly #options: PatientOptions
  #isThere: Promise<void> | undefined

  constructor(address: OpenSearchAddress, options: PatientOptions = {}) {
    this.address = address
    this.#options = options
  }

  /** As people know it: without secrets. */
  get name(): string {
    const { origin, index } = this.address
    return `${origin}/${index}`
  }

  /** Writes pages for good; those that are older than what the index has are passed over. */
  async write(pages: readonly PageWrite[], signal?: AbortSignal): Promise<void> {
    await this.#mustBeThere(signal)
    let lot: PageWrite[] = []
    let bytes = 0
    for (const page of pages) {
      lot.push(page)
      bytes += linesOf(page).length
      if (bytes < BULK_BYTES) continue
      await this.#bulk(lot, signal)
      ;[lot, bytes] = [[], 0]
    }
    if (lot.length > 0) await this.#bulk(lot, signal)
  }

  /** Lets searchers see what was written. */
  async refresh(): Promise<void> {
    await this.#mustBeThere()
    await this.#send('POST', `${this.address.index}/_refresh`)
  }

  /** Asks many things at once; gives the hits of each, in order. */
  async searchAll(bodies: readonly object[]): Promise<Hit[][]> {
    if (bodies.length === 0) return []
    await this.#mustBeThere()
    const lines = bodies.flatMap((body) => ['{}', JSON.stringify(body)])
    // Scores rest on the whole index, not on a shard of it.
    const path = `${this.address.index}/_msearch?search_type=dfs_query_then_fetch`
    for (let round = 0; ; round++) {
      const answer = await this.#send('POST', path, `${lines.join('\n')}\n`)
      const responses = answer.responses as SearchResponse[]
      const fault = responses.find(({ hits }) => !hits)
      if (!fault) return responses.map(({ hits }) => hits!.hits)
      await this.#rest(round, isPassing(fault.status), JSON.stringify(fault.error))
    }
  }

  /** Everything that an index holds, in no order; nothing if there is no such index. */
  async *scroll(index: string): AsyncGenerator<Hit> {
    const first = JSON.stringify({ size: SCROLLED_AT_ONCE, sort: ['_doc'] })
    const open = `${index}/_search?scroll=${SCROLL_TIME}&ignore_unavailable=true`
    let answer = await this.#send('POST', open, first)
    while (answer.hits.hits.length > 0) {
      yield* answer.hits.hits as Hit[]
      const next = JSON.stringify({ scroll: SCROLL_TIME, scroll_id: answer._scroll_id })
      answer = await this.#send('POST', '_search/scroll', next)
    }
    const { _scroll_id: scroll_id } = answer
    if (scroll_id) await this.#send('DELETE', '_search/scroll', JSON.stringify({ scroll_id }))
  }

  #mustBeThere(signal?: AbortSignal): Promise<void> {
    this.#isThere ??= this.#makeIndex(signal).catch((error) => {
      this.#isThere = undefined
      throw error
    })
    return this.#isThere
  }

  async #makeIndex(signal?: AbortSignal): Promise<void> {
    const { index } = this.address
    const found = await this.#request('HEAD', index, undefined, signal).catch((error) => {
      if (error instanceof PushError && error.status === NOT_FOUND) return undefined
      throw error
    })
    if (found) return
    // Somebody else may make it at the same time.
    await this.#request('PUT', index, JSON.stringify(NEW_INDEX), signal).catch((error) => {
      if (!String(error.message).includes('resource_already_exists')) throw error
    })
  }

  async #bulk(pages: readonly PageWrite[], signal?: AbortSignal): Promise<void> {
    let left = pages
    for (let round = 0; left.length > 0; round++) {
      if (round > 0) await this.#rest(round - 1, true, 'too busy to write')
      const path = `${this.address.index}/_bulk`
      const { items } = await this.#send('POST', path, left.map(linesOf).join(''), signal)
      const results = (items as Record<string, BulkItem>[]).map((item) => Object.values(item)[0])
      left = left.filter((page, i) => isToBeSentAgain(results[i], page, this.name))
    }
  }

  /** Waits before parts of a request are sent again, if that may help. */
  async #rest(round: number, mayHelp: boolean, fault: string): Promise<void> {
    if (!mayHelp || round === MOST_ROUNDS)
      throw new PushError(`${this.name} does not answer well: ${fault}`, !mayHelp)
    const { wait = sleep, signal } = this.#options
    await wait(FIRST_REST_MS * 2 ** round, signal)
  }

  async #send(method: string, path: string, body?: string, signal?: AbortSignal) {
    const answer = await this.#request(method, path, body, signal)
    // biome-ignore lint/suspicious/noExplicitAny: whoever asks knows the shape
    return (await answer.json()) as any
  }

  #request(
    method: string,
    path: string,
    body: string | undefined,
    signal: AbortSignal | undefined,
  ): Promise<Response> {
    const { origin, authorization } = this.address
    const isLines = path.includes('_bulk') || path.includes('_msearch')
    const headers = {
      'content-type': isLines ? 'application/x-ndjson' : 'application/json',
      ...(authorization && { authorization }),
    }
    return patientRequest(`${origin}/${path}`, () => ({ method, body, headers }), {
      ...this.#options,
      ...(signal && { signal }),
    })
  }
}

/** One result of a search. */
interface Hit {
  readonly _id: string
  readonly _score: number
  readonly _source: Readonly<Record<string, unknown>>
  readonly fields?: Readonly<Record<string, readonly string[]>>
}

interface SearchResponse {
  readonly status: number
  readonly hits?: { readonly hits: Hit[] }
  readonly error?: unknown
}

function isPassing(status: number): boolean {
  return status === 429 || status >= 500
}

async function sleep(ms: number): Promise<void> {
  await setTimeout(ms)
}

/** The id of a page in every index. */
export function idOf(url: string): string {
  return createHash('sha256').update(url).digest('hex').slice(0, 40)
}

function linesOf({ url, version, document }: PageWrite): string {
  const head = { _id: idOf(url), version, version_type: 'external' }
  if (!document) return `${JSON.stringify({ delete: head })}\n`
  return `${JSON.stringify({ index: head })}\n${JSON.stringify(document)}\n`
}

/** A write that lost to a later one is as good as done, and so is forgetting what was never there. */
function isToBeSentAgain({ status, error }: BulkItem, { url }: PageWrite, name: string): boolean {
  if (status < 300 || status === CONFLICT || status === NOT_FOUND) return false
  if (isPassing(status)) return true
  throw new PushError(`${name} does not take ${url}: ${error?.type}: ${error?.reason}`, true)
}
