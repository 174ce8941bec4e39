import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isThorough } from '#numeric/cases.test-kit.ts'
import { askTables } from '#repository/database/ask-tables.test-kit.ts'
import { rebuildTables } from '#repository/state/rebuild-tables.ts'
import { IndexStore } from '#repository/text-index/index-store.ts'
import { PageStore } from '#repository/text-index/page-store.ts'
import { defaultAnalyser } from '#search/full-text/default-search.ts'
import { differingTables } from '../src/repository/tables/same-tables.test-kit.ts'
import { killCrawl } from './kill-crawl.ts'

const HOSTS = 7
const BATCH = 17
/** A board allows so many sends for each answer after which the next one is planned. */
const SENDS_AHEAD = 2

/** Pages that the tables say are to be found, and those that the index has, with their words. */
async function findable(dir: string): Promise<{ wanted: number[]; indexed: number[] }> {
  const rows = await askTables(
    dir,
    "SELECT url_id::INTEGER AS id FROM page WHERE duplicate_of IS NULL AND NOT soft_error AND NOT noindex AND form = 'page' ORDER BY url_id",
  )
  const wanted = rows.map(({ id }) => Number(id))
  const index = new IndexStore(dir).load(defaultAnalyser)
  const pages = PageStore.openToRead(dir)
  const indexed = wanted.filter((id) => index.has(id) && pages?.get(id) !== undefined)
  pages?.close()
  expect(index.size).toBe(wanted.length)
  return { wanted, indexed }
}

// `npm run bench -- kills` does the same for longer. A policy by links plans fast, so many kills take little time.
test.each([
  isThorough
    ? { policy: 'pagerank', kills: 12, budget: 600 }
    : { policy: 'pagerank', kills: 2, budget: 120 },
  ...(isThorough ? [{ policy: 'unified', kills: 3, budget: 150 }] : []),
])(
  'killed again and again, a crawl by $policy loses nothing, repeats nothing, keeps its budget, its WARC files and its index',
  async ({ policy, kills, budget }) => {
    const dir = mkdtempSync(join(tmpdir(), 'forager-crash-'))
    try {
      const crawl = await killCrawl({
        dir,
        kills,
        budget,
        batch: BATCH,
        seed: 20_261_115,
        policy,
        workers: 2,
      })
      expect(crawl).toMatchObject({ end: 'budget spent', spent: budget, finished: budget })
      expect(crawl).toMatchObject({ lost: [], loggedTwice: [], repeated: [] })
      expect(crawl.requests - budget, 'only what was in flight').toBeLessThanOrEqual(
        kills * SENDS_AHEAD * BATCH,
      )
      expect(crawl.warc).toMatchObject({ missing: [], misplaced: [] })
      expect(crawl.warc.spare, 'only what was in flight').toBeLessThanOrEqual(kills * HOSTS)
      const { wanted, indexed } = await findable(dir)
      expect(wanted.length).toBeGreaterThan(budget / 2)
      expect(indexed).toEqual(wanted)
      await rebuildTables(dir)
      const tables = join(dir, 'state.duckdb')
      expect(await differingTables(`${tables}.damaged`, tables), 'all is in the log').toEqual([])
    } finally {
      rmSync(dir, { recursive: true, force: true })
    }
  },
)
