import { join } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import { Frontier } from '#frontier/frontier.ts'
import { apply } from '#learn/apply.ts'
import { knowledge } from '#learn/knowledge.ts'
import { anchorTexts } from '#learn/text-index/index-pages.ts'
import { mainText } from '#parse/page/main-text.ts'
import type { Damage } from '../damage.ts'
import { holdsCrawl } from '../database/crawl-folder.ts'
import { maybe, namedRows } from '../database/named-rows.ts'
import { sparingly } from '../database/open-database.ts'
import { storedInstructions } from '../log/stored-rules.ts'
import { loadFrontier } from '../state/load-frontier.ts'
import { openTables } from '../state/open-tables.ts'
import { readMeta } from '../tables/schema.ts'
import { PAGES_FILE } from '../text-index/manifest.ts'
import { PageLog } from '../text-index/page-log.ts'
import { pageInWarc } from '../warc/page-in-warc.ts'
import type { RecordPlace } from '../warc/stored-answer.ts'
import { RebuiltIndex } from './rebuilt-index.ts'

const SHOWN_URLS = 10

/**
 * Makes a crawl's index anew: from the stored pages where they are whole, which gives the very index that was; else from
 * the WARC files, by what the tables say. Gives what could not be had; those pages are indexed when they are
 * fetched next. Nobody else may have the tables open.
 */
export async function rebuildIndex(
  dir: string,
  warcDir = join(dir, 'warc'),
  { byTables = false, readsAnew = false }: RebuildOptions = {},
): Promise<Damage[]> {
  const log = new PageLog(dir)
  try {
    const hasGaps = log.hasGaps || byTables
    const pages = {
      log,
      urls: log.urls(),
      hasGaps,
      rebuilt: new RebuiltIndex(dir, !byTables && !readsAnew),
    }
    const isToldByLog = !hasGaps && log.damaged.size === 0 && pages.urls.every(isIndexable)
    if (isToldByLog || !holdsCrawl(dir)) return fromLog(pages)
    return await withTables(dir, pages, warcDir)
  } finally {
    log.close()
  }

  function isIndexable(url: number): boolean {
    return log.page(url).indexed?.isHidden === false
  }
}

interface RebuildOptions {
  /** It has just the pages of the tables, whatever pages are stored. */
  readonly byTables?: boolean
  /** Postings are made anew also if they are whole: an older Forager read pages otherwise. */
  readonly readsAnew?: boolean
}

interface Rebuilding {
  readonly log: PageLog
  readonly urls: readonly number[]
  /** Whether there may be pages that the log does not tell of. */
  readonly hasGaps: boolean
  readonly rebuilt: RebuiltIndex
}

function fromLog({ log, urls, rebuilt }: Rebuilding): Damage[] {
  const lost: string[] = []
  for (const url of urls) {
    const { stored, indexed = { anchors: [], isHidden: false } } = log.page(url)
    if (!indexed.isHidden || rebuilt.keepsPostings) rebuilt.add(url, stored, indexed)
    else lost.push(stored.url)
  }
  rebuilt.putInPlace()
  return lossOf(lost)
}

async function withTables(dir: string, pages: Rebuilding, warcDir: string): Promise<Damage[]> {
  const { connection, close } = await openTables(dir)
  try {
    const frontier = new Frontier()
    await sparingly(connection, () => loadFrontier(connection, frontier))
    const all = storedInstructions(await readMeta(connection))
    apply({ kind: 'instructions', all }, knowledge({ frontier }))
    const shown = await readShownPages(connection, frontier)
    const lost = await addAll(pages, frontier, shown, warcDir)
    pages.rebuilt.putInPlace()
    await forgetContents(
      connection,
      lost.map((url) => shown.get(url)!.fetchId),
    )
    return lossOf(lost.map((url) => frontier.urls.urlOf(url)))
  } finally {
    close()
  }
}

/** Takes in all that can be had; gives the pages that cannot. */
async function addAll(
  { log, urls, hasGaps, rebuilt }: Rebuilding,
  frontier: Frontier,
  shown: ReadonlyMap<number, ShownPage>,
  warcDir: string,
): Promise<number[]> {
  const lost: number[] = []
  const logged = new Set(urls)
  const isWanted = (url: number, { isDuplicate }: ShownPage) => {
    if (rebuilt.keepsPostings) return rebuilt.has(url)
    // Where the log has gaps, nobody knows which duplicates stood in for others.
    return logged.has(url) || log.damaged.has(url) || (hasGaps && !isDuplicate)
  }
  const others = [...shown.keys()].filter((url) => !logged.has(url))
  const wanted = [...urls, ...others].filter((url) => {
    const page = shown.get(url)
    return page && isWanted(url, page)
  })
  const anchors = anchorTexts(wanted, frontier)
  for (const url of wanted) {
    const { isHidden, fetchedAt, warc } = shown.get(url)!
    const { stored, indexed } = logged.has(url) ? log.page(url) : {}
    const named = { anchors: indexed?.anchors ?? anchors.get(url)!, isHidden }
    if (stored && (!isHidden || rebuilt.keepsPostings)) rebuilt.add(url, stored, named)
    else {
      const address = frontier.urls.urlOf(url)
      const page = warc && (await pageInWarc(warcDir, warc, address, fetchedAt))
      if (page) rebuilt.add(url, { ...page, text: mainText(page), url: address, fetchedAt }, named)
      else lost.push(url)
    }
  }
  return lost
}

function lossOf(urls: readonly string[]): Damage[] {
  if (urls.length === 0) return []
  const more = urls.length > SHOWN_URLS ? ' …' : ''
  const pages = urls.length === 1 ? '1 page' : `${urls.length} pages`
  const loss = {
    file: `index/${PAGES_FILE}`,
    problem: `the words of ${pages} are damaged, and no WARC file has them`,
    lost: `${pages} of the index until fetched again (${urls.slice(0, SHOWN_URLS).join(', ')}${more})`,
  }
  return [loss]
}

/** What the tables tell of a page that may be found by searchers. */
interface ShownPage {
  readonly fetchId: number
  /** Seconds since 1970. */
  readonly fetchedAt: number
  /** Its text may be searched, but not shown. */
  readonly isHidden: boolean
  /** Says the same as another page, or names it as its better address: it is shown only in that one's place. */
  readonly isDuplicate: boolean
  /** Where its content lies, if it was kept. */
  readonly warc?: RecordPlace
}

/** The pages that may be found, by URL number: by their latest content, and as far as they are not lost. */
async function readShownPages(
  connection: DuckDBConnection,
  frontier: Frontier,
): Promise<Map<number, ShownPage>> {
  const rows = await namedRows(
    connection,
    `SELECT p.url_id, p.fetch_id, p.fetched_at,
           coalesce(p.nosnippet, false) OR coalesce(p.noarchive, false) AS is_hidden,
           p.duplicate_of IS NOT NULL AS is_duplicate, f.warc_file, f.warc_offset
    FROM page p JOIN fetch_log f ON f.id = p.fetch_id
    WHERE p.fetch_id IN (SELECT max(fetch_id) FROM page GROUP BY url_id)
      AND coalesce(p.form, 'page') = 'page' AND NOT p.noindex AND NOT coalesce(p.soft_error, false)
      AND coalesce(p.unavailable_after > (SELECT max(fetched_at) FROM fetch_log), true)
    ORDER BY p.url_id`,
    {
      ...{ url_id: Number, fetch_id: Number, fetched_at: Number },
      ...{ is_hidden: Boolean, is_duplicate: Boolean },
      ...{ warc_file: maybe(String), warc_offset: Number },
    },
  )
  // What was forgotten is as if it had never been fetched.
  const isHeld = (url: number) => !frontier.isLost(url) && frontier.stateOf(url) !== 'known'
  const shown = rows.filter(({ url_id }) => isHeld(url_id))
  return new Map(
    shown.map(({ warc_file: file, warc_offset: offset, ...row }) => [
      row.url_id,
      {
        fetchId: row.fetch_id,
        fetchedAt: row.fetched_at,
        isHidden: row.is_hidden,
        isDuplicate: row.is_duplicate,
        warc: file === undefined ? undefined : { file, offset },
      },
    ]),
  )
}

/** Forgets what content these fetches brought, so that the next fetch of each page is news and is indexed. */
async function forgetContents(
  connection: DuckDBConnection,
  fetchIds: readonly number[],
): Promise<void> {
  if (fetchIds.length === 0) return
  await connection.run(`
    UPDATE page SET content_hash = repeat('0', 64), etag = NULL, last_modified = NULL
    WHERE fetch_id IN (${fetchIds.join()})`)
}
