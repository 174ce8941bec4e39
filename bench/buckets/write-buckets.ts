/**
 * Makes a crawl in buckets of one that lies in a directory: every bucket gets all of it, under names of its own, with a sixth of
 * its domains in other buckets: `node bench/buckets/write-buckets.ts CRAWL DIR BUCKETS BUDGET`. What has no names is the same file.
 */
import { linkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bucketOf } from '#crawl/buckets/bucket-of.ts'
import { NO_HOSTS } from '#frontier/urls/address-chances.ts'
import { FORMAT } from '#library/buckets/buckets-crawl.ts'
import { planSettingsText } from '#library/plan/plan-settings.ts'
import { DEFAULTS } from '#library/settings/settings.ts'
import { mixHash } from '#numeric/hash.ts'
import { STATE_TABLES } from '#repository/buckets/bucket-tables.ts'
import { BucketsFolder } from '#repository/buckets/buckets-folder.ts'
import { createTable, writeParquet } from '#repository/buckets/tables-in-memory.ts'
import { writeTypedColumns } from '#repository/buckets/typed-columns.ts'
import { countRows, namedRows } from '#repository/database/named-rows.ts'
import { openDatabase } from '#repository/database/open-database.ts'

/** One in so many domains is crawled in another bucket. */
const FOREIGN = 6

const [crawl, dir, ...numbers] = process.argv.slice(2)
const [buckets, budget] = numbers.map(Number)
const folder = new BucketsFolder(dir)
const { connection, close } = await openDatabase(crawl)
const urls = await countRows(connection, 'url')
const pages = await countRows(connection, 'page')
await connection.run('DROP TABLE IF EXISTS foreign_link')
await createTable(connection, STATE_TABLES.at(-1)!)
const domains = (
  await namedRows(connection, 'SELECT DISTINCT domain FROM host ORDER BY domain', {
    domain: String,
  })
).map(({ domain }) => domain)
await folder.makeJson(folder.crawlPath, () => ({
  ...{ format: FORMAT, buckets, seeds: ['https://example.org/'], scope: { scope: 'anywhere' } },
  settings: JSON.parse(
    planSettingsText({ ...DEFAULTS, policy: 'pagerank', perHost: 20, perDomain: 50 }),
  ),
}))
const goal = (epoch: number) => ({
  ...{ epoch, at: 1_700_001_000, budget, affords: budget, spent: 0, bytes: 0 },
  rank: { urls: urls * buckets, dangling: 0 },
  hosts: NO_HOSTS,
})
await folder.makeJson(folder.ofEpoch(1, 'begin.json'), () => goal(1))
for (let bucket = 0; bucket < buckets; bucket++) {
  await folder.make(folder.partOf(1, 'learn', bucket), (draft) => writeState(bucket, draft))
}
await folder.makeJson(folder.ofEpoch(2, 'begin.json'), () => goal(2))
close()
console.log(JSON.stringify({ urls, pages }))

async function writeState(bucket: number, draft: string): Promise<void> {
  await connection.run(
    'CREATE OR REPLACE TABLE renamed (domain VARCHAR, name VARCHAR, dest UINTEGER)',
  )
  const rows = domains.map((domain, i) => {
    const name = nameIn(bucket, domain, i)
    return `('${domain}', '${name}', ${bucketOf(name, buckets)})`
  })
  for (let from = 0; from < rows.length; from += 10_000)
    await connection.run(`INSERT INTO renamed VALUES ${rows.slice(from, from + 10_000).join(', ')}`)
  const own = `https://b${bucket}w`
  const rowsOf: Readonly<Record<string, string>> = {
    url: `(SELECT * REPLACE (replace(url, 'https://www', '${own}') AS url) FROM url ORDER BY id)`,
    host: `(SELECT id, replace(host.name, 'www', 'b${bucket}w') AS name, renamed.name AS domain
            FROM host JOIN renamed USING (domain) ORDER BY id)`,
  }
  for (const { name } of STATE_TABLES) {
    const [file, first] = [draft, folder.partOf(1, 'learn', 0)].map((at) =>
      join(at, `${name}.parquet`),
    )
    if (bucket > 0 && !(name in rowsOf)) linkSync(first, file)
    else await writeParquet(connection, rowsOf[name] ?? name, file)
  }
  await writeTypedColumns(
    connection,
    { rank: new Float64Array(urls).fill(1) },
    join(draft, 'rank.parquet'),
  )
  // What PageRank brings to others' URLs, sorted by these: each bucket reads what all others have told it.
  const flow = `(SELECT dest, (hash(url.id) >> 2)::BIGINT AS hash, 1::DOUBLE AS mass
    FROM url JOIN host ON host.id = url.host_id JOIN renamed USING (domain)
    WHERE dest <> ${bucket} ORDER BY dest, url.id)`
  await writeParquet(connection, flow, join(draft, 'rank-flow.parquet'))
  const path = folder.partOf(1, 'learn', bucket).slice(dir.length + 1)
  const sums = {
    parts: [{ path, rows: urls }],
    hosts: NO_HOSTS,
    ...{ states: { known: urls - pages, page: pages }, known: urls, links: 0, dangling: 0 },
    ...{ isPriced: false, knowsLinks: false, candidates: 0, content: '' },
  }
  writeFileSync(join(draft, 'sums.json'), JSON.stringify(sums))
}

/** A name for a domain that belongs to the bucket, or for some to another one. */
function nameIn(bucket: number, domain: string, place: number): string {
  const isForeign = buckets > 1 && mixHash(3, place) % FOREIGN === 0
  for (let count = 0; ; count++) {
    const name = `b${bucket}-${count}-${domain}`
    if ((bucketOf(name, buckets) === bucket) !== isForeign) return name
  }
}
