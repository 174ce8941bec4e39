/**
 * Fills a crawl directory that `write-crawl-dir.ts` made with what a control room shows: many cycles with fetches, gains
 * and prices, queries, and an index. `node bench/control/fill-crawl-dir.ts DIR FETCHES QUERIES INDEXED SEED_URL`.
 */
import { importQueryList } from '#library/queries/import-log.ts'
import { mixHash } from '#numeric/hash.ts'
import { openDatabase } from '#repository/database/open-database.ts'
import { CrawlStore } from '#repository/state/crawl-store.ts'
import { IndexFiles } from '#repository/text-index/index-files.ts'
import { defaultAnalyser } from '#search/full-text/default-search.ts'

const FETCHES_A_CYCLE = 2_000
const FIRST_AT = 1_700_000_000
const SECONDS_A_FETCH = 2
const WORDS = 5_000
const WORDS_A_PAGE = 60
const PAGES_AT_ONCE = 5_000

const [dir, ...numbers] = process.argv.slice(2)
const [fetches, queries, indexed] = numbers.map(Number)
const seedUrl = numbers[3]

const { connection, close } = await openDatabase(dir)
const [{ pages }] = (await (
  await connection.runAndReadAll('SELECT count(*)::INTEGER AS pages FROM fetch_log')
).getRowObjects()) as { pages: number }[]
// Whatever there are too few of were looked at again, and were as before.
for (let have = pages; have < fetches; have += Math.min(pages, fetches - have))
  await connection.run(
    `INSERT INTO fetch_log BY NAME SELECT * REPLACE (id + ${have} AS id, 'refresh' AS purpose,
       'unchanged' AS outcome, 304 AS status, false AS changed, false AS fresh, false AS content_changed, 0 AS new_urls)
     FROM fetch_log WHERE id < ${Math.min(pages, fetches - have)}`,
  )
await connection.run(
  `UPDATE fetch_log SET cycle = 1 + id // ${FETCHES_A_CYCLE}, fetched_at = ${FIRST_AT} + ${SECONDS_A_FETCH} * id,
     predicted_gain = 0.01 + (id % 100) / 1000, realised_gain = 0.01 + (id % 90) / 1000, bid = 1,
     thought_acquire = CASE WHEN purpose = 'acquire' THEN 0.01 END,
     thought_refresh = CASE WHEN purpose = 'refresh' THEN 0.01 END, thought_links = 1`,
)
await connection.run(`UPDATE page SET fetched_at = ${FIRST_AT} + ${SECONDS_A_FETCH} * fetch_id`)
await connection.run('DELETE FROM cycle')
await connection.run(
  `INSERT INTO cycle BY NAME SELECT c AS cycle, ${FIRST_AT} + ${SECONDS_A_FETCH * FETCHES_A_CYCLE} * (c - 1) AS started_at,
     ${FIRST_AT} + ${SECONDS_A_FETCH * FETCHES_A_CYCLE} * c AS ended_at, ${FETCHES_A_CYCLE} AS planned,
     ${FETCHES_A_CYCLE} AS fetched, 10 / sqrt(c) AS price
   FROM range(1, ${Math.ceil(fetches / FETCHES_A_CYCLE) + 1}) t(c)`,
)
const rows = (await (
  await connection.runAndReadAll(
    `SELECT u.id, u.url FROM page p JOIN url u ON u.id = p.url_id ORDER BY u.id LIMIT ${indexed}`,
  )
).getRowObjects()) as { id: bigint | number; url: string }[]
close()

const wordsOf = (seed: number, count: number) =>
  Array.from({ length: count }, (_, i) => `w${mixHash(seed, i) % WORDS}`).join(' ')
const asked = Array.from({ length: queries }, (_, query) => ({
  ...{ id: `q${query}`, text: wordsOf(1_000_000 + query, 1 + (query % 2)) },
  weight: 1 + Math.floor(1_000 / (query + 1)),
}))
await importQueryList(dir, asked)

const files = new IndexFiles(dir, defaultAnalyser)
for (let from = 0; from < rows.length; from += PAGES_AT_ONCE) {
  const taken = rows.slice(from, from + PAGES_AT_ONCE).map(({ id, url }) => {
    const page = { title: `Title of page ${id}`, text: wordsOf(Number(id), WORDS_A_PAGE) }
    files.index.replace(Number(id), { url, ...page, anchors: [] })
    return { outcome: { id: Number(id), url, at: FIRST_AT, page }, anchors: [] }
  })
  while (files.index.compact());
  files.keep({ removed: [], taken: taken as never, renewed: [] })
}
files.close()

const store = await CrawlStore.open(dir)
await store.saveSettings({ seeds: JSON.stringify([seedUrl]), index: 'yes' })
store.close()
console.log(JSON.stringify({ fetches }))
