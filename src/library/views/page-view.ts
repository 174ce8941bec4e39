import { NOBODY } from '#frontier/urls/url-states.ts'
import type { PastFetch } from '#repository/reports/url-reports.ts'
import { type HeldCopy, heldCopy, nearestUrls } from '../explain/explain-known.ts'
import { type ExplainReport, explainUrl } from '../explain/explain-report.ts'
import { readSeeds } from '../open/seeds.ts'
import { PLANNED } from './bidding-now.ts'
import { type CopyChange, lastChange } from './copy-change.ts'
import type { Look } from './watched-crawl.ts'

/** What the tables have of a URL, told at once; who wants it takes a plan (`explainedPage`). */
export interface PageView {
  readonly url: string
  readonly at: number
  readonly known: boolean
  readonly state?: string
  readonly foundBy?: string
  /** The page that first linked to it. */
  readonly finder?: string
  readonly firstSeen?: number
  readonly depth?: number
  readonly fetches: readonly PastFetch[]
  readonly copy?: HeldCopy
  /** What the latest content says otherwise than the one before. */
  readonly change?: CopyChange
  /** Known URLs that begin like one that is not known. */
  readonly nearest: readonly string[]
}

/** What is stored of a URL; undefined if that is no URL. */
export async function pageView(look: Look, given: string): Promise<PageView> {
  const { opened, settings } = look.view
  const { frontier } = opened.state
  const [url] = readSeeds([given])
  const { at } = look
  const number = frontier.urls.find(url)
  if (number === undefined)
    return { url, at, known: false, fetches: [], nearest: nearestUrls(frontier, url) }
  const finder = frontier.discoveries.finderOf(number)
  const isHeld = frontier.stateOf(number) === 'page'
  return {
    ...{ url, at, known: true, nearest: [] },
    state: frontier.stateOf(number),
    foundBy: frontier.discoveries.sourceOf(number),
    finder: finder === NOBODY ? undefined : frontier.urls.urlOf(finder),
    firstSeen: frontier.discoveries.firstSeenOf(number),
    depth: frontier.discoveries.depthOf(number),
    fetches: await opened.store.reports.urls.fetchesOf(number),
    ...(isHeld && { copy: await heldCopy(opened.store, frontier, number) }),
    change: await lastChange(
      settings.dir,
      url,
      await opened.store.reports.urls.contentsOf(number, 2),
    ),
  }
}

/** All that is to be said of a URL, as `forager explain` says it. It takes a plan. */
export function explainedPage(look: Look, url: string): Promise<ExplainReport> {
  const { opened, settings, bidders } = look.view
  const [canonical] = readSeeds([url])
  return look.once(`explain ${canonical}`, () =>
    explainUrl(canonical, opened, settings, PLANNED, opened.now, bidders.registry),
  )
}
