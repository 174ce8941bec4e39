import { rowOf } from '#numeric/csr.ts'
import { type DiscoverySite, graphBetween } from '../../revisits/discovery-site.ts'

/** Site, snapshot, old page and the new pages it leads to, tabs between them; on-site links only. */
export function* coverLines(archive: string, site: DiscoverySite): Generator<string> {
  yield 'site\ttime\told page\tnew pages covered'
  for (let t = 1; t < site.snapshots; t++) {
    const { oldPages, newPages, covers } = graphBetween(site, t - 1, t)
    for (const [row, page] of oldPages.entries()) {
      const urls = Array.from(rowOf(covers, row), (place) => site.urlOf(newPages[place]))
      yield `${archive}\t${t}\t${site.urlOf(page)}\t${urls.join(' ')}`
    }
  }
}

/** When each page was there, as spans of snapshots, and whether it is taken for a listing. */
export function* pageLines(site: DiscoverySite): Generator<string> {
  yield 'page\tlive\tlisting'
  for (let page = 0; page < site.pages; page++)
    yield `${site.urlOf(page)}\t${liveSpans(site, page).join(' ')}\t${site.isListing[page]}`
}

function liveSpans({ versionsAt }: DiscoverySite, page: number): string[] {
  const isLive = (snapshot: number) => (versionsAt[snapshot]?.[page] ?? -1) >= 0
  const spans: string[] = []
  for (let from = 0, t = 0; t < versionsAt.length; t++) {
    if (!isLive(t)) continue
    if (!isLive(t - 1)) from = t
    if (!isLive(t + 1)) spans.push(`${from}-${t}`)
  }
  return spans
}
