import type { ArchiveRecords } from '#archive/format/format.ts'
import { SettingError } from '#errors/setting-error.ts'
import { archiveRecords } from './archive-records.ts'
import type { ImportedWeb } from './imported-web.ts'
import { type PageHistory, pageHistories } from './page-histories.ts'
import { reachablePages } from './reachable-pages.ts'
import { servedUrl } from './site-paths.ts'

interface PublishedOptions {
  readonly id: string
  readonly name: string
  /** The address of the site's root, ending in a slash. */
  readonly base: string
  /** Seeds; if none, the root. */
  readonly start: readonly string[]
  /** The day of each snapshot, and what else is to be told of it. */
  readonly snapshots: readonly { readonly date: string }[]
  readonly snapshotOf: (at: number) => number
  readonly source?: object
}

/** An archive, and what did not come into it. */
interface PublishedArchive {
  readonly records: ArchiveRecords
  /** Pages that no crawler could come to know by links from the start. */
  readonly unreachable: number
  /** Snapshots at the end in which no page is left. */
  readonly emptySnapshots: number
}

/** The archive of a static site; it begins with the first snapshot in which a crawler finds a page. */
export function publishedArchive(web: ImportedWeb, options: PublishedOptions): PublishedArchive {
  const { id, name, base } = options
  const all = pageHistories(web, options.snapshotOf, options.snapshots.length)
  if (all.length === 0)
    throw new SettingError(
      'git',
      'there is no HTML file in that part of the history: is the site on another {branch}, or below another {root}?',
    )
  const pageAt = pageFinder(web, all, base)
  const start = seedsOf(web, options, pageAt)
  const reachable = reachablePages(web, all, start, pageAt)
  const kept = all.filter(({ page }) => reachable[page])
  const first = kept.reduce((least, { spans }) => Math.min(least, spans[0][0]), Infinity)
  const last = kept.reduce((most, { spans }) => Math.max(most, spans[spans.length - 1][1]), 0)
  const unreachable = all.length - kept.length
  const site = {
    id,
    name,
    kind: 'published site',
    start: start.map((page) => web.urls.at(page)),
    source: { ...options.source, unreachable },
    snapshots: options.snapshots.slice(first),
  }
  const addressOf = (url: string) => {
    const page = pageAt(url)
    return page === undefined ? url : web.urls.at(page)
  }
  return {
    records: archiveRecords(web, kept.map(startingAt(first)), site, addressOf),
    unreachable,
    emptySnapshots: options.snapshots.length - 1 - last,
  }
}

/** Finds the page that the site's server would send for an address. */
function pageFinder(
  web: ImportedWeb,
  histories: readonly PageHistory[],
  base: string,
): (url: string) => number | undefined {
  const isPage = new Uint8Array(web.urls.size)
  for (const { page } of histories) isPage[page] = 1
  const find = (url: string) => {
    const page = web.urls.find(url)
    return page !== undefined && isPage[page] ? page : undefined
  }
  return (url) => find(servedUrl(base, url, (candidate) => find(candidate) !== undefined))
}

function seedsOf(
  web: ImportedWeb,
  { base, start }: PublishedOptions,
  pageAt: (url: string) => number | undefined,
): number[] {
  if (start.length === 0) {
    const home = pageAt(base)
    if (home !== undefined) return [home]
    throw new SettingError(
      'git',
      `there never was a page at ${base}: name where a crawler starts with {start}, such as {start} ${web.urls.at(0)}`,
    )
  }
  return start.map((url) => {
    const page = pageAt(url)
    if (page === undefined)
      throw new SettingError('start', `{start} ${url}: there never was such a page`)
    return page
  })
}

/** Moves a history so that a snapshot becomes the first. */
function startingAt(snapshot: number): (history: PageHistory) => PageHistory {
  return ({ page, spans }) => ({
    page,
    spans: spans.map(([first, last, content]) => [first - snapshot, last - snapshot, content]),
  })
}
