import type { ArchiveRecords } from '#archive/format/format.ts'
import { SettingError } from '#errors/setting-error.ts'
import { archiveRecords } from './archive-records.ts'
import { captureCalendar } from './calendar.ts'
import type { ImportedWeb } from './imported-web.ts'
import { type PageHistory, pageHistories } from './page-histories.ts'

interface ImportOptions {
  readonly id: string
  readonly name: string
  readonly stepDays: number
  /** Seeds; if none, those the captures name, else a good guess. */
  readonly start: readonly string[]
  /** Where the captures come from, for `site.json`. */
  readonly source?: unknown
}

/** The archive that captures make: what was seen within `stepDays` is one snapshot. */
export function importedArchive(web: ImportedWeb, options: ImportOptions): ArchiveRecords {
  const { id, name, source } = options
  const { dates, snapshotOf } = captureCalendar(web, options.stepDays)
  const histories = pageHistories(web, snapshotOf, dates.length)
  if (histories.length === 0)
    throw new SettingError(
      'files',
      'there is no page in these files: no HTML that was answered with 200',
    )
  const start = options.start.length > 0 ? options.start : findSeeds(web, histories)
  const snapshots = dates.map((date) => ({ date }))
  return archiveRecords(web, histories, { id, name, kind: 'crawl', start, source, snapshots })
}

/** Seeds the crawler noted; else the home page with the most links to it; else the first page seen. */
function findSeeds(web: ImportedWeb, histories: readonly PageHistory[]): string[] {
  const pages = new Set(histories.map(({ page }) => web.urls.at(page)))
  const noted = [...web.seeds].filter((url) => pages.has(url))
  if (noted.length > 0) return noted
  const timesLinked = new Map<string, number>()
  for (let link = 0; link < web.linkCount; link++) {
    const { url } = web.link(link)
    if (!pages.has(url) || new URL(url).pathname !== '/' || url.includes('?')) continue
    timesLinked.set(url, (timesLinked.get(url) ?? 0) + web.timesLinked(link))
  }
  const [home] = [...timesLinked].sort(([, a], [, b]) => b - a)
  if (home) return [home[0]]
  const firstSeen = ({ page }: PageHistory) => web.sightingsOf(page)[0].at
  const earliest = histories.reduce((a, b) => (firstSeen(b) < firstSeen(a) ? b : a))
  return [web.urls.at(earliest.page)]
}
