import type { DuckDBConnection } from '@duckdb/node-api'
import { SettingError } from '#errors/setting-error.ts'
import { defaultAnalyser } from '#search/full-text/default-search.ts'
import type { TextIndex } from '#search/full-text/text-index.ts'
import type { Damage } from '../damage.ts'
import { countRows, namedRows } from '../database/named-rows.ts'
import { openDatabaseToRead } from '../database/open-database.ts'
import { KeptLog } from '../log/kept-log.ts'
import { storedInstructions } from '../log/stored-rules.ts'
import { journalFiles } from '../state/journal.ts'
import { isTakenUp } from '../state/take-up-log.ts'
import { SCHEMA_VERSION } from '../tables/crawl-tables.ts'
import { readMeta, storedVersion } from '../tables/schema.ts'
import { URL_TABLE } from '../tables/url-tables.ts'
import { IndexStore } from '../text-index/index-store.ts'
import type { Part } from './check-crawl.ts'
import { readWholeLog } from './check-log.ts'
import { rebuildIndex } from './rebuild-index.ts'

/** Pages that searchers may see, as their latest fetch left them: none of them may be missing in the index. */
const SHOWN_PAGES = `
  SELECT p.url_id, u.url
  FROM (SELECT url_id, max(fetch_id) AS fetch_id FROM page GROUP BY url_id) latest
  JOIN page p ON p.url_id = latest.url_id AND p.fetch_id = latest.fetch_id
  JOIN (SELECT url_id, arg_max(outcome, id) AS outcome FROM fetch_log GROUP BY url_id) f
    ON f.url_id = p.url_id
  JOIN url u ON u.id = p.url_id
  WHERE p.form = 'page' AND p.duplicate_of IS NULL AND NOT p.noindex AND NOT p.soft_error
    AND p.content_hash <> repeat('0', 64) AND p.unavailable_after IS NULL AND f.outcome IN ('page', 'unchanged')`

const REMEDY = 'rebuild the index from tables, stored pages and WARC files'

/** Whether the index has the pages that the tables hold. Crawls with `index: false` leave some out on purpose. */
export const indexedPagesPart: Part = {
  name: 'pages in the index',
  paths: [],
  whileCrawling: false,
  check: async ({ dir }) => {
    const log = new KeptLog(dir)
    if (!(await readWholeLog(log)).alwaysIndexed) return []
    try {
      return await missingPages(dir, log)
    } catch (error) {
      // Tables or index are damaged, which their own checks say.
      if (error instanceof SettingError) return []
      throw error
    }
  },
  repair: ({ dir, warcDir }) => rebuildIndex(dir, warcDir, { byTables: true }),
}

async function missingPages(dir: string, log: KeptLog): Promise<Damage[]> {
  const { connection, close } = await openDatabaseToRead(dir)
  try {
    const isCurrent =
      (await storedVersion(connection, dir)) === SCHEMA_VERSION &&
      (await isTakenUp(connection, log))
    if (!isCurrent) return []
    const index = new IndexStore(dir).load(defaultAnalyser)
    const shown = await shownPages(connection)
    const missing = shown.filter((url) => !index.has(url)).length
    // A cycle that was cut off may be in the index already.
    const strange = journalFiles(dir).length > 0 ? 0 : await strangersIn(index, connection)
    return [
      ...(missing === 0 ? [] : [`it lacks ${missing} of ${shown.length} pages of the tables`]),
      ...(strange === 0 ? [] : [`it has ${strange} pages that the tables do not know`]),
    ].map((problem) => ({ file: 'index/manifest.json', problem, remedy: REMEDY }))
  } finally {
    close()
  }
}

/** Pages by numbers that no URL has: the tables have lost the cycles that knew them. */
async function strangersIn(index: TextIndex, connection: DuckDBConnection): Promise<number> {
  const known = await countRows(connection, URL_TABLE.name)
  return index.segments
    .flatMap(({ segment, alive }) => [...segment.urls].filter((_, place) => alive[place]))
    .filter((url) => url >= known).length
}

async function shownPages(connection: DuckDBConnection): Promise<number[]> {
  const pages = await namedRows(connection, SHOWN_PAGES, { url_id: Number, url: String })
  const told = storedInstructions(await readMeta(connection))
  const forgotten = new Set(told.flatMap((one) => (one.kind === 'forget' ? one.url : [])))
  return pages.filter(({ url }) => !forgotten.has(url)).map(({ url_id }) => url_id)
}
