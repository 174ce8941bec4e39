import type { DuckDBConnection } from '@duckdb/node-api'
import type { Frontier } from '#frontier/frontier.ts'
import { NOBODY } from '#frontier/urls/url-states.ts'
import { countRows } from '../database/named-rows.ts'
import { readColumns } from '../database/read-columns.ts'
import { endOfIds, IDS_AT_ONCE, readTexts } from '../database/read-texts.ts'
import { CHANGE_CLAIM } from '../tables/page-tables.ts'
import { ANCHOR, HOST, LINK, URL_TABLE } from '../tables/url-tables.ts'
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
  const end = await endOfIds(connection, HOST, 'id')
  const texts = (text: 'name' | 'domain') => readTexts(connection, HOST, { id: 'id', text }, 0, end)
  frontier.urls.restoreHosts(await texts('name'), await texts('domain'))
}

async function loadUrls(connection: DuckDBConnection, frontier: Frontier): Promise<void> {
  const end = await endOfIds(connection, URL_TABLE, 'id')
  const names = ['host_id', 'source', 'depth', 'first_seen', 'pattern', 'found_by'] as const
  for (let from = 0; from < end; from += IDS_AT_ONCE) {
    const to = from + IDS_AT_ONCE
    const urls = await readTexts(connection, URL_TABLE, { id: 'id', text: 'url' }, from, to)
    const some = `WHERE id >= ${from} AND id < ${to} ORDER BY id`
    let next = 0
    for await (const { rowCount, columns } of readColumns(connection, URL_TABLE, names, some)) {
      const { source, depth, first_seen: firstSeen, pattern, found_by: finder } = columns
      frontier.urls.restore(urls.slice(next, next + rowCount), columns.host_id)
      next += rowCount
      for (let row = 0; row < rowCount; row++) {
        const patternOf = pattern[row] < 0 ? undefined : pattern[row]
        frontier.restore(source[row]!, depth[row], firstSeen[row], patternOf, finder[row])
      }
    }
  }
}

/** What was claimed, and which hubs claim something of which hosts. Rows lie hub by hub. */
async function loadClaims(connection: DuckDBConnection, frontier: Frontier): Promise<void> {
  const hosts = frontier.urls.hosts()
  let [lastHub, lastHost] = [-1, -1]
  const names = ['url_id', 'hub_id', 'changed_at'] as const
  for await (const { rowCount, columns } of readColumns(connection, CHANGE_CLAIM, names)) {
    const { url_id: urls, hub_id: hubs, changed_at: changedAt } = columns
    for (let row = 0; row < rowCount; row++) {
      frontier.claims.claim(urls[row], changedAt[row])
      if (hubs[row] === NOBODY) continue // told, by no list
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
  const end = await endOfIds(connection, ANCHOR, 'id')
  for (let from = 0; from < end; from += IDS_AT_ONCE) {
    const to = from + IDS_AT_ONCE
    anchors.addDistinct(await readTexts(connection, ANCHOR, { id: 'id', text: 'text' }, from, to))
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
  frontier.links.reserve(await countRows(connection, LINK.name))
  const names = ['fetch_id', 'src', 'dst', 'anchor_id', 'rel'] as const
  for await (const { rowCount, columns } of readColumns(connection, LINK, names)) {
    const { fetch_id: fetch, src, dst, anchor_id: anchor, rel } = columns
    for (let start = 0, end = 0; start < rowCount; start = end) {
      while (end < rowCount && fetch[end] === fetch[start]) end++
      if (!isCurrent[fetch[start]]) continue
      const part = (column: Int32Array) => column.subarray(start, end)
      frontier.links.extend(src[start], part(dst), part(anchor), part(rel))
    }
  }
}
