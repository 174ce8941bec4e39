import { hostOf } from '#parse/url/canonical-url.ts'
import type { PastFetch } from '#repository/reports/url-reports.ts'
import { type HeldCopy, heldCopy } from '../explain/explain-known.ts'
import { type ExplainReport, explainUrl, knownOf } from '../explain/explain-report.ts'
import { meantUrls } from '../open/seeds.ts'
import { PLANNED, preparedNow } from './bidding-now.ts'
import { type CopyChange, lastChange } from './copy-change.ts'
import type { Look, WholeLook } from './watched-crawl.ts'

/** What the tables have of a URL, told at once; its state and who wants it take a plan (`explainedPage`). */
export interface PageView {
  readonly url: string
  readonly at: number
  readonly known: boolean
  readonly foundBy?: string
  /** The page that first linked to it. */
  readonly finder?: string
  readonly firstSeen?: number
  readonly depth?: number
  readonly fetches: readonly PastFetch[]
  /** The latest one. */
  readonly copy?: HeldCopy
  /** What the latest content says otherwise than the one before. */
  readonly change?: CopyChange
}

/** What is stored of a URL; a SettingError if that is no URL. */
export async function pageView(look: Look, given: string): Promise<PageView> {
  const view = (url: string) => look.once(`page ${url}`, () => storedPage(look, url))
  const [likeliest, other] = meantUrls(given)
  const found = await view(likeliest)
  if (found.known || other === undefined) return found
  const second = await view(other)
  return second.known ? second : found
}

async function storedPage({ tables, settings, at }: Look, url: string): Promise<PageView> {
  const { urls } = tables.store.reports
  const found = await urls.find(url, hostOf(url))
  if (!found) return { url, at, known: false, fetches: [] }
  const { id, ...known } = found
  return {
    ...{ url, at, known: true, ...known },
    fetches: await urls.fetchesOf(id),
    copy: await heldCopy(tables.store, id),
    change: await lastChange(settings.dir, url, await urls.contentsOf(id, 2)),
  }
}

/** All that is to be said of a URL, as `forager explain` says it. It takes a plan. */
export function explainedPage(look: WholeLook, url: string): Promise<ExplainReport> {
  const { opened, settings, bidders } = look.view
  const meant = knownOf(meantUrls(url), opened.state.frontier)
  const { registry } = bidders
  return look.once(`explain ${meant}`, async () =>
    explainUrl(
      ...([meant, opened, settings, PLANNED, opened.now, registry] as const),
      await preparedNow(look),
    ),
  )
}
