import type { DuckDBConnection } from '@duckdb/node-api'
import type { Frontier } from '#frontier/frontier.ts'
import { NOBODY, URL_SOURCES } from '#frontier/urls/url-states.ts'
import { chunksOf, placeIn, vectorsOf } from '../database/read-columns.ts'
import { endOfIds, IDS_AT_ONCE, readTexts } from '../database/read-texts.ts'
import { integerItems } from '../database/vector-items.ts'
import type { StoredSizes } from './append-cycle.ts'
import { replayLog } from './replay-log.ts'

/** Fills an empty frontier from the tables; gives how much they hold. */
export async function loadFrontier(
  connection: DuckDBConnection,
  frontier: Frontier,
): Promise<StoredSizes> {
  await loadHosts(connection, frontier)
  await loadUrls(connection, frontier)
  await loadClaims(connection, frontier)
  const isCurrent = await replayLog(connection, frontier)
  const anchors = await loadAnchors(connection, frontier)
  await loadLinks(connection, frontier, isCurrent)
  frontier.countRestoredLinks()
  const fetches = isCurrent.length
  return { urls: frontier.size, hosts: frontier.urls.hostCount, anchors, fetches }
}

async function loadHosts(connection: DuckDBConnection, frontier: Frontier): Promise<void> {
  const end = await endOfIds(connection, 'host', 'id')
  const texts = (text: string) => readTexts(connection, { table: 'host', id: 'id', text }, 0, end)
  frontier.urls.restoreHosts(await texts('name'), await texts('domain'))
}

async function loadUrls(connection: DuckDBConnection, frontier: Frontier): Promise<void> {
  const end = await endOfIds(connection, 'url', 'id')
  for (let from = 0; from < end; from += IDS_AT_ONCE) {
    const to = from + IDS_AT_ONCE
    const urls = await readTexts(connection, { table: 'url', id: 'id', text: 'url' }, from, to)
    const sql = `
      SELECT host_id::INTEGER, ${placeIn(URL_SOURCES, 'source')}, depth::INTEGER, first_seen,
             pattern::INTEGER, coalesce(found_by, ${NOBODY})::INTEGER
      FROM url WHERE id >= ${from} AND id < ${to} ORDER BY id`
    let next = 0
    for await (const chunk of chunksOf(connection, sql)) {
      const [hosts, sources, depths, firstSeen, patterns, finders] = vectorsOf(chunk)
      frontier.urls.restore(urls.slice(next, next + chunk.rowCount), integerItems(hosts))
      next += chunk.rowCount
      for (let row = 0; row < chunk.rowCount; row++)
        frontier.restore(
          URL_SOURCES[sources.getItem(row) as number],
          depths.getItem(row) as number,
          firstSeen.getItem(row) as number,
          (patterns.getItem(row) as number | null) ?? undefined,
          finders.getItem(row) as number,
        )
    }
  }
}

/** What was claimed, and which hubs claim something of which hosts. Rows lie hub by hub. */
async function loadClaims(connection: DuckDBConnection, frontier: Frontier): Promise<void> {
  const sql = 'SELECT url_id::INTEGER, hub_id::INTEGER, changed_at FROM change_claim'
  const hosts = frontier.urls.hosts()
  let [lastHub, lastHost] = [-1, -1]
  for await (const chunk of chunksOf(connection, sql)) {
    const [urlItems, hubItems, changedAt] = vectorsOf(chunk)
    const [urls, hubs] = [integerItems(urlItems), integerItems(hubItems)]
    for (let row = 0; row < chunk.rowCount; row++) {
      frontier.claims.claim(urls[row], changedAt.getItem(row) as number)
      const host = hosts[urls[row]]
      if (hubs[row] === lastHub && host === lastHost) continue
      frontier.claims.noteHub(hubs[row], host)
      lastHub = hubs[row]
      lastHost = host
    }
  }
}

async function loadAnchors(connection: DuckDBConnection, frontier: Frontier): Promise<number> {
  const { anchors } = frontier.links
  const end = await endOfIds(connection, 'anchor', 'id')
  for (let from = 0; from < end; from += IDS_AT_ONCE) {
    const column = { table: 'anchor', id: 'id', text: 'text' }
    anchors.addDistinct(await readTexts(connection, column, from, from + IDS_AT_ONCE))
  }
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
  const counted = await connection.runAndReadAll('SELECT count(*) FROM link')
  frontier.links.reserve(Number(counted.getRows()[0][0]))
  const sql =
    'SELECT fetch_id::INTEGER, src::INTEGER, dst::INTEGER, anchor_id::INTEGER, rel::INTEGER FROM link'
  for await (const chunk of chunksOf(connection, sql)) {
    const [fetch, src, dst, anchor, rel] = vectorsOf(chunk).map(integerItems)
    for (let start = 0, end = 0; start < fetch.length; start = end) {
      while (end < fetch.length && fetch[end] === fetch[start]) end++
      if (!isCurrent[fetch[start]]) continue
      const part = (column: Int32Array) => column.subarray(start, end)
      frontier.links.extend(src[start], part(dst), part(anchor), part(rel))
    }
  }
}
