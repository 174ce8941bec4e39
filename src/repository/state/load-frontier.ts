import type { DuckDBConnection, DuckDBDataChunk } from '@duckdb/node-api'
import type { Frontier } from '#frontier/frontier.ts'
import { URL_SOURCES, URL_STATES } from '#frontier/url-states.ts'
import type { StoredSizes } from './append-cycle.ts'
import { integerItems } from './vector-items.ts'

/** Fills an empty frontier from the tables; gives how much they hold. */
export async function loadFrontier(
  connection: DuckDBConnection,
  frontier: Frontier,
): Promise<StoredSizes> {
  await loadUrls(connection, frontier)
  const isCurrent = await loadVisits(connection, frontier)
  const anchors = await loadAnchors(connection, frontier)
  await loadLinks(connection, frontier, isCurrent)
  const fetches = isCurrent.length
  return { urls: frontier.size, hosts: frontier.urls.hostCount, anchors, fetches }
}

async function loadUrls(connection: DuckDBConnection, frontier: Frontier): Promise<void> {
  const source = placeIn(URL_SOURCES, 'source')
  const sql = `SELECT url, ${source}, depth::INTEGER, first_seen FROM url ORDER BY id`
  for await (const chunk of chunksOf(connection, sql)) {
    const [urls, sources, depths, firstSeen] = [0, 1, 2, 3].map((i) => chunk.getColumnVector(i))
    for (let row = 0; row < chunk.rowCount; row++)
      frontier.add(
        urls.getItem(row) as string,
        URL_SOURCES[sources.getItem(row) as number],
        depths.getItem(row) as number,
        firstSeen.getItem(row) as number,
      )
  }
}

/**
 * Replays the fetch log, so that a loaded frontier went through what the living one did. Gives, for
 * every fetch, 1 if it brought its URL's current content.
 */
async function loadVisits(connection: DuckDBConnection, frontier: Frontier): Promise<Uint8Array> {
  const sql = `
    SELECT f.url_id::INTEGER, ${placeIn(URL_STATES, 'f.outcome')}, f.fetched_at, f.retry_at, f.changed, p.content_hash
    FROM fetch_log f LEFT JOIN page p ON p.fetch_id = f.id ORDER BY f.id`
  const latest = new Map<number, number>()
  let fetches = 0
  for await (const chunk of chunksOf(connection, sql)) {
    const [urls, states, at, retryAt, changed, hashes] = [0, 1, 2, 3, 4, 5].map((i) =>
      chunk.getColumnVector(i),
    )
    for (let row = 0; row < chunk.rowCount; row++, fetches++) {
      const url = urls.getItem(row) as number
      frontier.visit(url, {
        state: URL_STATES[states.getItem(row) as number],
        at: at.getItem(row) as number,
        retryAt: retryAt.getItem(row) as number,
        contentHash: (hashes.getItem(row) as string | null) ?? undefined,
      })
      if (changed.getItem(row)) latest.set(url, fetches)
    }
  }
  const isCurrent = new Uint8Array(fetches)
  for (const fetch of latest.values()) isCurrent[fetch] = 1
  return isCurrent
}

async function loadAnchors(connection: DuckDBConnection, frontier: Frontier): Promise<number> {
  const { anchors } = frontier.links
  for await (const chunk of chunksOf(connection, 'SELECT text FROM anchor ORDER BY id'))
    for (const text of chunk.getColumnValues(0)) anchors.add(text as string)
  return anchors.size
}

/**
 * The links of each page's latest content. Rows were appended fetch by fetch, and a plain scan gives
 * them in that order: no sort, no join, each page's links one run.
 */
async function loadLinks(
  connection: DuckDBConnection,
  frontier: Frontier,
  isCurrent: Uint8Array,
): Promise<void> {
  const sql =
    'SELECT fetch_id::INTEGER, src::INTEGER, dst::INTEGER, anchor_id::INTEGER, rel::INTEGER FROM link'
  let run = new LinkRun()
  for await (const chunk of chunksOf(connection, sql)) {
    const [fetch, src, dst, anchor, rel] = [0, 1, 2, 3, 4].map((i) =>
      integerItems(chunk.getColumnVector(i)),
    )
    for (let row = 0; row < src.length; row++) {
      if (!isCurrent[fetch[row]]) continue
      if (run.src !== src[row]) {
        run.storeIn(frontier)
        run = new LinkRun(src[row])
      }
      run.push(dst[row], anchor[row], rel[row])
    }
  }
  run.storeIn(frontier)
}

class LinkRun {
  readonly src: number | undefined
  readonly #targets: number[] = []
  readonly #anchors: number[] = []
  readonly #rels: number[] = []

  constructor(src?: number) {
    this.src = src
  }

  push(target: number, anchor: number, rel: number): void {
    this.#targets.push(target)
    this.#anchors.push(anchor)
    this.#rels.push(rel)
  }

  storeIn(frontier: Frontier): void {
    if (this.src === undefined) return
    frontier.links.replace(this.src, {
      targets: Uint32Array.from(this.#targets),
      anchors: Uint32Array.from(this.#anchors),
      rels: Uint8Array.from(this.#rels),
    })
  }
}

/** SQL for a word's place in a list: numbers are read ten times faster than words. */
function placeIn(words: readonly string[], column: string): string {
  const list = words.map((word) => `'${word}'`).join(', ')
  return `(list_position([${list}], ${column}) - 1)::INTEGER`
}

async function* chunksOf(
  connection: DuckDBConnection,
  sql: string,
): AsyncGenerator<DuckDBDataChunk> {
  const result = await connection.stream(sql)
  for (;;) {
    const chunk = await result.fetchChunk()
    if (!chunk || chunk.rowCount === 0) return
    yield chunk
  }
}
