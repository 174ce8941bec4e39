/**
 * Writes a crawl directory of the size asked for, as many cycles of crawling would have left it:
 * `node bench/webs/write-crawl-dir.ts DIR URLS LINKS SEED`. A process of its own, so that the benchmark's
 * memory is its own too.
 */
import { mixHash } from '#numeric/hash.ts'
import { appendColumns } from '#repository/database/append-columns.ts'
import { openDatabase } from '#repository/database/open-database.ts'
import { CYCLE, FETCH_LOG } from '#repository/tables/fetch-tables.ts'
import { setLogPosition } from '#repository/tables/log-change.ts'
import { PAGE } from '#repository/tables/page-tables.ts'
import { migrate } from '#repository/tables/schema.ts'
import { ANCHOR, HOST, LINK, URL_TABLE } from '#repository/tables/url-tables.ts'
import { modelGraph } from './model-graph.ts'

const ANCHORS = 1_000_000
const ROWS_AT_ONCE = 1_000_000

const [dir, ...numbers] = process.argv.slice(2)
const [urls, links, seed] = numbers.map(Number)
const graph = modelGraph(urls, links, seed)
const { hosts, hostNumbers } = hostsByDiscovery(graph.hosts)
const { connection, close } = await openDatabase(dir)
await migrate(connection, dir)
// Crawls of this edition need no base for their log: that is for tables of the first.
await setLogPosition(connection, 0)

const urlOf = (url: number) =>
  `https://www${graph.hosts[url]}.domain${graph.domains[url]}.com/section/article-${url}.html`

await inParts(urls, (from, to) => {
  const id = range(from, to)
  const all = <T>(value: T) => Array.from(id, () => value)
  return appendColumns(connection, URL_TABLE, id.length, {
    id,
    hash: { low: id, high: id },
    url: Array.from(id, urlOf),
    host_id: hostNumbers.subarray(from, to),
    depth: id.map((url) => url % 9),
    source: all('link'),
    first_seen: all(1_700_000_000),
    pattern: id.map((url) => graph.hosts[url] % (1 << 20)),
    found_by: all(null),
  })
})

await inParts(hosts.length, (from, to) => {
  const firstUrls = Array.from(hosts.subarray(from, to))
  return appendColumns(connection, HOST, firstUrls.length, {
    id: range(from, to),
    name: firstUrls.map((url) => new URL(urlOf(url)).host),
    domain: firstUrls.map((url) => `domain${graph.domains[url]}.com`),
  })
})

const pages = distinctInOrder(graph.sources)
const fetchOfPage = new Map(Array.from(pages, (page, fetch) => [page, fetch]))
await inParts(pages.length, (from, to) => {
  const fetches = range(from, to)
  const all = <T>(value: T) => Array.from(fetches, () => value)
  const none = all(null)
  return appendColumns(connection, FETCH_LOG, fetches.length, {
    ...{ id: fetches, cycle: all(1), url_id: pages.subarray(from, to) },
    ...{ fetched_at: all(1_700_000_100), purpose: all('acquire'), outcome: all('page') },
    ...{ status: all(200), reason: none, cost: all(1), bytes: all(30_000), ms: all(50) },
    ...{ retry_at: all(0), postponed: all(false), warc_file: all('forager-00001.warc.gz') },
    warc_offset: Array.from(fetches, (fetch) => fetch * 12_000),
    ...{ changed: all(true), fresh: all(true), content_changed: all(true), new_urls: all(3) },
    ...{ new_links: all(50), found_before: none, rival_id: none, in_links: all(1) },
    ...{ claim_right: none, unclaimed: all(false), headers: none, predicted_gain: all(1) },
    ...{
      realised_gain: none,
      anchor_gain: none,
      clicks: none,
      probability: none,
      bid: none,
      bid_acquire: none,
    },
    ...{ bid_refresh: none, bid_discover: none },
    ...{ thought_acquire: none, thought_refresh: none, thought_links: none, thought_render: none },
    rendering: none,
  })
})
await inParts(pages.length, (from, to) => {
  const fetches = range(from, to)
  const all = <T>(value: T) => Array.from(fetches, () => value)
  const hashes = { low: hashesOf(fetches, 1), high: hashesOf(fetches, 2) }
  return appendColumns(connection, PAGE, fetches.length, {
    url_id: pages.subarray(from, to),
    fetch_id: fetches,
    fetched_at: all(1_700_000_100),
    content_hash: Array.from(fetches, contentHash),
    etag: Array.from(fetches, (fetch) => `"${fetch.toString(36)}-5f2"`),
    last_modified: all('Sun, 01 Nov 2026 12:00:00 GMT'),
    title: Array.from(fetches, (fetch) => `Title of page ${fetch}`),
    ...{ language: all('en'), text_length: all(8_000), canonical: all(null) },
    ...{ noindex: all(false), nofollow: all(false), form: all('page') },
    ...{ fingerprint: hashes, simhash: hashes, words: all(1_200), duplicate_of: all(null) },
    ...{ soft_error: all(false), content_usage: all(null), noarchive: all(false) },
    ...{
      nosnippet: all(false),
      unavailable_after: all(null),
      declared_language: all(null),
      cut: all(false),
    },
    ...{ format: all(null), data_type: all(null), data_title: all(null), description: all(null) },
    ...{ author: all(null), published_at: all(null), modified_at: all(null), image: all(null) },
    ...{ data: all(null), fields: all(null) },
  })
})
await inParts(ANCHORS, (from, to) => {
  const id = range(from, to)
  const text = Array.from(id, (anchor) => `words of anchor ${anchor}`)
  return appendColumns(connection, ANCHOR, id.length, { id, text })
})
await inParts(links, (from, to) => {
  const src = graph.sources.subarray(from, to)
  return appendColumns(connection, LINK, src.length, {
    src,
    fetch_id: src.map((page) => fetchOfPage.get(page)!),
    dst: graph.targets.subarray(from, to),
    anchor_id: range(from, to).map((link) => (link * 7919) % ANCHORS),
    rel: new Uint32Array(to - from),
  })
})
const cycle = {
  cycle: [1],
  started_at: [0],
  ended_at: [0],
  planned: [0],
  fetched: [0],
  price: [null],
}
await appendColumns(connection, CYCLE, 1, cycle)
close()
console.log(JSON.stringify({ fetches: pages.length }))

function hashesOf(numbers: Uint32Array, seed: number): Uint32Array {
  return numbers.map((number) => mixHash(seed, number))
}

function contentHash(fetch: number): string {
  return [3, 4, 5, 6].map((seed) => mixHash(seed, fetch).toString(16).padStart(8, '0')).join('')
}

async function inParts(rows: number, write: (from: number, to: number) => Promise<void>) {
  for (let from = 0; from < rows; from += ROWS_AT_ONCE)
    await write(from, Math.min(rows, from + ROWS_AT_ONCE))
}

/** Hosts are numbered as they are found; `hosts` has the first URL of each. */
function hostsByDiscovery(modelHosts: Uint32Array) {
  const numbers = new Map<number, number>()
  const firstUrls: number[] = []
  const hostNumbers = modelHosts.map((host, url) => {
    const known = numbers.get(host)
    if (known !== undefined) return known
    numbers.set(host, firstUrls.length)
    return firstUrls.push(url) - 1
  })
  return { hosts: Uint32Array.from(firstUrls), hostNumbers }
}

/** The links come page by page, so a page is new when it differs from the one before. */
function distinctInOrder(sources: Uint32Array): Uint32Array {
  return sources.filter((source, link) => link === 0 || source !== sources[link - 1])
}

function range(from: number, to: number): Uint32Array {
  return Uint32Array.from({ length: to - from }, (_, i) => from + i)
}
