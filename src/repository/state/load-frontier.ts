import type { DuckDBConnection } from '@duckdb/node-api'
import type { TextMarks } from '#frontier/duplicates.ts'
import type { Frontier } from '#frontier/frontier.ts'
import { titleMark } from '#frontier/text-marks.ts'
import { NOBODY, URL_SOURCES, URL_STATES } from '#frontier/url-states.ts'
import type { StoredSizes } from './append-cycle.ts'
import { chunksOf, placeIn, vectorsOf } from './read-chunks.ts'
import { endOfIds, IDS_AT_ONCE, readTexts } from './stored-texts.ts'
import { integerItems, wordsOf } from './vector-items.ts'

/** Fills an empty frontier from the tables; gives how much they hold. */
export async function loadFrontier(
  connection: DuckDBConnection,
  frontier: Frontier,
): Promise<StoredSizes> {
  await loadHosts(connection, frontier)
  await loadUrls(connection, frontier)
  await loadClaims(connection, frontier)
  const isCurrent = await loadVisits(connection, frontier)
  await loadPages(connection, frontier)
  frontier.releaseDuplicates((original) => frontier.isLost(original))
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

/**
 * Replays the fetch log, so that a loaded frontier went through what the living one did. Gives, for
 * every fetch, 1 if it brought its URL's current content.
 */
async function loadVisits(connection: DuckDBConnection, frontier: Frontier): Promise<Uint8Array> {
  const sql = `
    SELECT url_id::INTEGER, ${placeIn(URL_STATES, "CASE outcome WHEN 'unchanged' THEN 'page' ELSE outcome END")},
           fetched_at, retry_at, changed, fresh, claim_right, postponed,
           outcome IN ('page', 'redirect', 'gone', 'unreadable'), unclaimed, content_changed
    FROM fetch_log ORDER BY id`
  const hosts = frontier.urls.hosts()
  const latest = new Uint32Array(frontier.size) // by URL: the fetch + 1
  let fetches = 0
  for await (const chunk of chunksOf(connection, sql)) {
    const [urls, states, at, retryAt, changed, fresh, claimRight, postponed, judged, ...rest] =
      vectorsOf(chunk)
    const [unclaimed, contentChanged] = rest
    for (let row = 0; row < chunk.rowCount; row++, fetches++) {
      const url = urls.getItem(row) as number
      const until = retryAt.getItem(row) as number
      if (postponed.getItem(row)) {
        frontier.postpone(url, until)
        continue
      }
      const state = URL_STATES[states.getItem(row) as number]
      const fetchedAt = at.getItem(row) as number
      if (judged.getItem(row)) frontier.judge(url, fresh.getItem(row) === true)
      frontier.visit(url, { state, at: fetchedAt, ...(until > 0 && { retryAt: until }) })
      if (state === 'page') frontier.claims.read(url, fetchedAt)
      const right = claimRight.getItem(row) as boolean | null
      if (right !== null) frontier.claims.count(hosts[url], right)
      if (unclaimed.getItem(row))
        frontier.claims.countSilence(hosts[url], contentChanged.getItem(row) === true)
      if (changed.getItem(row)) latest[url] = fetches + 1
    }
  }
  const isCurrent = new Uint8Array(fetches)
  for (const fetch of latest) if (fetch > 0) isCurrent[fetch - 1] = 1
  return isCurrent
}

/** What each page's content was like, version by version: identity, validators, duplicates. */
async function loadPages(connection: DuckDBConnection, frontier: Frontier): Promise<void> {
  const end = await endOfIds(connection, 'page', 'fetch_id')
  for (let from = 0; from < end; from += IDS_AT_ONCE) {
    const to = from + IDS_AT_ONCE
    const texts = (text: string) =>
      readTexts(connection, { table: 'page', id: 'fetch_id', text }, from, to)
    const etags = await texts('etag')
    const lastModified = await texts('last_modified')
    const titles = await texts('title')
    const sql = `
      SELECT url_id::INTEGER, ('0x' || substr(content_hash, 1, 13))::BIGINT::DOUBLE, words::INTEGER,
             form = 'page' AND duplicate_of IS NULL, fingerprint, simhash, form = 'page',
             NOT (noindex OR coalesce(soft_error, false)), duplicate_of::INTEGER, unavailable_after
      FROM page WHERE fetch_id >= ${from} AND fetch_id < ${to} ORDER BY fetch_id`
    let next = 0
    for await (const chunk of chunksOf(connection, sql)) {
      const [urls, contentKeys, words, isOriginal, fingerprints, simhashes, ...rest] =
        vectorsOf(chunk)
      const [isPage, isShown, originals, unavailableAfter] = rest
      const fingerprintWords = wordsOf(fingerprints)
      const simhashWords = wordsOf(simhashes)
      for (let row = 0; row < chunk.rowCount; row++, next++) {
        const url = urls.getItem(row) as number
        const [low, high] = [simhashWords[2 * row], simhashWords[2 * row + 1]]
        if (isPage.getItem(row) === true) frontier.texts.restore(url, low, high)
        if (!frontier.holdsContent(url)) continue
        frontier.restoreContent(url, contentKeys.getItem(row) as number)
        frontier.validators.set(url, { etag: etags[next], lastModified: lastModified[next] })
        const until = unavailableAfter.getItem(row) as number | null
        if (until === null) frontier.unavailableAfter.delete(url)
        else frontier.unavailableAfter.set(url, until)
        frontier.duplicates.note(url, (originals.getItem(row) as number | null) ?? undefined)
        if (isOriginal.getItem(row) !== true) {
          frontier.duplicates.leave(url)
          continue
        }
        const marks: TextMarks = {
          fingerprint: [fingerprintWords[2 * row], fingerprintWords[2 * row + 1]],
          simhash: [low, high],
          words: words.getItem(row) as number,
          title: titleMark(titles[next]),
        }
        frontier.duplicates.restore(url, marks, isShown.getItem(row) === true)
      }
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
