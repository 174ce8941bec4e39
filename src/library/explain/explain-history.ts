import type { Frontier } from '#frontier/frontier.ts'
import type { LatestCopy } from '#repository/reports/url-reports.ts'
import type { CrawlStore } from '#repository/state/crawl-store.ts'

/** The copy of a page that is held. */
export interface HeldCopy extends Omit<LatestCopy, 'duplicateOf' | 'duplicates'> {
  /** The page that said the same before. */
  readonly duplicateOf?: string
  /** Pages that say the same and came later. */
  readonly duplicates: readonly string[]
}

/** The copy held of a URL, if there is one. */
export async function heldCopy(
  store: CrawlStore,
  frontier: Frontier,
  url: number,
): Promise<HeldCopy | undefined> {
  const latest = await store.reports.urls.copyOf(url)
  if (latest === undefined) return undefined
  const { duplicateOf, duplicates, ...copy } = latest
  return {
    ...copy,
    duplicateOf: duplicateOf === undefined ? undefined : frontier.urls.urlOf(duplicateOf),
    duplicates: duplicates.map((id) => frontier.urls.urlOf(id)),
  }
}
