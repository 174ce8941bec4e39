/**
 * Writes a crawl directory of the size asked for, as many cycles of crawling would have left it:
 * `node bench/webs/write-crawl-dir.ts DIR URLS LINKS SEED`. A process of its own, so that the benchmark's
 * memory is its own too.
 */
import { mixHash } from '#numeric/hash.ts'
import { appendColumns, type BulkColumn } from '#repository/state/bulk.ts'
import { setLogPosition } from '#repository/state/log-change.ts'
import { openDatabase } from '#repository/state/open-database.ts'
import { migrate } from '#repository/state/schema.ts'
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
  const numbers = range(from, to)
  return append('url', [
    { type: 'bigint', values: numbers },
    { type: 'hash', values: numbers, high: numbers },
    { type: 'text', values: Array.from(numbers, urlOf) },
    { type: 'bigint', values: hostNumbers.subarray(from, to) },
    { type: 'bigint', values: numbers.map((url) => url % 9) },
    { type: 'text', values: Array.from(numbers, () => 'link') },
    { type: 'double', values: Array.from(numbers, () => 1_700_000_000) },
    { type: 'bigint', values: numbers.map((url) => graph.hosts[url] % (1 << 20)) },
    { type: 'bigint', values: Array.from(numbers, () => null) },
  ])
})

await inParts(hosts.length, (from, to) => {
  const firstUrls = Array.from(hosts.subarray(from, to))
  return append('host', [
    { type: 'bigint', values: range(from, to) },
    { type: 'text', values: firstUrls.map((url) => new URL(urlOf(url)).host) },
    { type: 'text', values: firstUrls.map((url) => `domain${graph.domains[url]}.com`) },
  ])
})

const pages = distinctInOrder(graph.sources)
const fetchOfPage = new Map(Array.from(pages, (page, fetch) => [page, fetch]))
await inParts(pages.length, (from, to) => {
  const fetches = range(from, to)
  const all = <T>(value: T) => Array.from(fetches, () => value)
  return append('fetch_log', [
    { type: 'bigint', values: fetches },
    { type: 'bigint', values: all(1) },
    { type: 'bigint', values: pages.subarray(from, to) },
    { type: 'double', values: all(1_700_000_100) },
    { type: 'text', values: all('acquire') },
    { type: 'double', values: all(1) },
    { type: 'text', values: all('page') },
    { type: 'bigint', values: all(200) },
    { type: 'text', values: all(null) },
    { type: 'bigint', values: all(1) },
    { type: 'bigint', values: all(30_000) },
    { type: 'double', values: all(50) },
    { type: 'boolean', values: all(true) },
    { type: 'bigint', values: all(3) },
    { type: 'double', values: all(0) },
    { type: 'boolean', values: all(true) },
    { type: 'boolean', values: all(null) },
    { type: 'boolean', values: all(false) },
    { type: 'text', values: all('forager-00001.warc.gz') },
    { type: 'bigint', values: Array.from(fetches, (fetch) => fetch * 12_000) },
    { type: 'double', values: all(null) },
    { type: 'boolean', values: all(true) },
    ...[50, 0, null, 1].map((value) => ({ type: 'bigint' as const, values: all(value) })),
    { type: 'boolean', values: all(false) },
    ...Array.from({ length: 9 }, () => ({ type: 'double' as const, values: all(null) })),
  ])
})
await inParts(pages.length, (from, to) => {
  const fetches = range(from, to)
  const all = <T>(value: T) => Array.from(fetches, () => value)
  const hashes = { values: lots(fetches, 1), high: lots(fetches, 2) }
  return append('page', [
    { type: 'bigint', values: pages.subarray(from, to) },
    { type: 'bigint', values: fetches },
    { type: 'double', values: all(1_700_000_100) },
    { type: 'text', values: Array.from(fetches, (fetch) => contentHash(fetch)) },
    { type: 'text', values: Array.from(fetches, (fetch) => `"${fetch.toString(36)}-5f2"`) },
    { type: 'text', values: all('Sun, 01 Nov 2026 12:00:00 GMT') },
    { type: 'text', values: Array.from(fetches, (fetch) => `Title of page ${fetch}`) },
    { type: 'text', values: all('en') },
    { type: 'bigint', values: all(8_000) },
    { type: 'text', values: all(null) },
    { type: 'boolean', values: all(false) },
    { type: 'boolean', values: all(false) },
    { type: 'text', values: all('page') },
    { type: 'hash', ...hashes },
    { type: 'hash', ...hashes },
    { type: 'bigint', values: all(1_200) },
    { type: 'bigint', values: all(null) },
    { type: 'boolean', values: all(false) },
    { type: 'text', values: all(null) },
    { type: 'boolean', values: all(false) },
    { type: 'boolean', values: all(false) },
    { type: 'double', values: all(null) },
  ])
})
await inParts(ANCHORS, (from, to) =>
  append('anchor', [
    { type: 'bigint', values: range(from, to) },
    { type: 'text', values: Array.from(range(from, to), (anchor) => `words of anchor ${anchor}`) },
  ]),
)
await inParts(links, (from, to) => {
  const sources = graph.sources.subarray(from, to)
  return append('link', [
    { type: 'bigint', values: sources },
    { type: 'bigint', values: sources.map((page) => fetchOfPage.get(page)!) },
    { type: 'bigint', values: graph.targets.subarray(from, to) },
    { type: 'bigint', values: range(from, to).map((link) => (link * 7919) % ANCHORS) },
    { type: 'bigint', values: new Uint32Array(to - from) },
  ])
})
await connection.run('INSERT INTO cycle VALUES (1, 0, 0, 0, 0, NULL)')
close()
console.log(JSON.stringify({ fetches: pages.length }))

function lots(numbers: Uint32Array, seed: number): Uint32Array {
  return numbers.map((number) => mixHash(seed, number))
}

function contentHash(fetch: number): string {
  return [3, 4, 5, 6].map((seed) => mixHash(seed, fetch).toString(16).padStart(8, '0')).join('')
}

function append(table: string, columns: readonly BulkColumn[]): Promise<void> {
  return appendColumns(connection, table, columns)
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
