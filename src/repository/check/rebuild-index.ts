import { join } from 'node:path'
import { readAnswer } from '#fetch/http/read-answer.ts'
import { Frontier } from '#frontier/frontier.ts'
import { anchorTexts } from '#learn/text-index/index-pages.ts'
import type { ParsedPage } from '#parse/page/page.ts'
import type { Damage } from '../damage.ts'
import { holdsCrawl } from '../database/crawl-folder.ts'
import { sparingly } from '../database/open-database.ts'
import { loadFrontier } from '../state/load-frontier.ts'
import { openTables } from '../state/open-tables.ts'
import { PAGES_FILE } from '../text-index/manifest.ts'
import { PageLog } from '../text-index/page-log.ts'
import { storedAnswer } from '../warc/stored-answer.ts'
import { RebuiltIndex } from './rebuilt-index.ts'
import { forgetContents, readShownPages, type ShownPage } from './shown-pages.ts'

/** Longer pages were never indexed. */
const MOST_BYTES = 1 << 26
const SHOWN_URLS = 10

/**
 * Makes a crawl's index anew: from the stored pages where they are whole, which gives the very index that was; else from
 * the WARC files, by what the tables say. Gives what could not be had; those pages are indexed when they are
 * fetched next. With `byTables` it has just the pages of the tables, whatever pages are stored. Nobody else may have
 * the tables open.
 */
export async function rebuildIndex(
  dir: string,
  warcDir = join(dir, 'warc'),
  byTables = false,
): Promise<Damage[]> {
  const log = new PageLog(dir)
  try {
    const hasGaps = log.hasGaps || byTables
    const pages = { log, urls: log.urls(), hasGaps, rebuilt: new RebuiltIndex(dir, !byTables) }
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
      const page = warc && (await pageIn(warcDir, warc, address, fetchedAt))
      if (page) rebuilt.add(url, { ...page, url: address, fetchedAt }, named)
      else lost.push(url)
    }
  }
  return lost
}

/** A page as it was read when it was fetched. */
async function pageIn(
  warcDir: string,
  place: NonNullable<ShownPage['warc']>,
  url: string,
  at: number,
): Promise<ParsedPage | undefined> {
  const answer = await storedAnswer(warcDir, place)
  if (!answer) return undefined
  const { status, body } = answer
  const headers = Object.fromEntries(answer.headers)
  const outcome = readAnswer(
    { id: 0, url, at, ms: 0 },
    { kind: 'answer', status, headers, body, bytes: body.length, truncated: false },
    { agentToken: '', maxBodyBytes: MOST_BYTES },
  )
  return outcome.kind === 'page' ? outcome.page : undefined
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
