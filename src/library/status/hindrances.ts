import type { RefusingHost } from '#repository/reports/summary-reports.ts'
import type { SilentSeeds } from '#repository/reports/url-reports.ts'
import type { CrawlStore } from '#repository/state/crawl-store.ts'

const REFUSING_HOSTS = 3
/** So many are named to programs. */
const SILENT_SEEDS = 10

/** What kept a crawl from pages, as its tables tell; what did not is left out. */
export interface StoredHindrances {
  /** Seeds that were tried and had nothing to show. */
  readonly silentSeeds?: SilentSeeds
  /** The hosts that turned us away most. */
  readonly refusing?: readonly RefusingHost[]
}

export async function storedHindrances({
  reports: { summary, urls },
}: Pick<CrawlStore, 'reports'>): Promise<StoredHindrances> {
  const silentSeeds = await urls.silentSeeds(SILENT_SEEDS)
  return {
    silentSeeds: silentSeeds.inAll > 0 ? silentSeeds : undefined,
    refusing: ifAny(await summary.refusingHosts(REFUSING_HOSTS)),
  }
}

/** Nothing in place of an empty list. */
export function ifAny<Item>(list: readonly Item[]): readonly Item[] | undefined {
  return list.length > 0 ? list : undefined
}
