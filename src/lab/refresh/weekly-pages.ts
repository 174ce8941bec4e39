import { hash32 } from '#numeric/hash.ts'
import type { Archive } from '#repository/archive/archive.ts'

/**
 * The pages of an archive that were live at every snapshot, and what they said when. A page is a number
 * from 0 in the order of its URL's hash, so that ties between pages are broken by lot. Contents that a page
 * had twice are one: `contents[page * weeks + week]` numbers them, those of a page are neighbours.
 */
export interface WeeklyPages {
  readonly weeks: number
  /** By page: its number in the archive. */
  readonly archivePages: Uint32Array
  readonly contents: Uint32Array
  /** By content: an archive version that has it. */
  readonly versions: Uint32Array
  /** By week: the pages whose content is not that of the week before. */
  readonly changedPages: readonly Uint32Array[]
  /** By week: days since the first. */
  readonly days: Float64Array
}

/**
 * Pages that were never gone and never a redirect; title and main text make the content.
 *
 * @paper PandeyOlston2005 §6 — as their first data set: also pages that never changed.
 */
export function weeklyPages(archive: Archive): WeeklyPages {
  const weeks = archive.snapshotCount
  const always = Array.from({ length: archive.pageCount }, (_, page) => page)
    .filter((page) => isAlwaysLive(archive, page))
    .map((page) => ({ page, lot: hash32(archive.urlOf(page)) }))
    .sort((a, b) => a.lot - b.lot || a.page - b.page)
  const archivePages = Uint32Array.from(always, ({ page }) => page)
  const contents = new Uint32Array(archivePages.length * weeks)
  const versions: number[] = []
  const changed = Array.from({ length: weeks }, (): number[] => [])
  archivePages.forEach((archivePage, page) => {
    const numberOf = new Map<string, number>()
    for (let week = 0; week < weeks; week++) {
      const version = archive.versionAt(archivePage, week)!
      const hash = archive.mainHashOf(version)
      let content = numberOf.get(hash)
      if (content === undefined) {
        content = versions.push(version) - 1
        numberOf.set(hash, content)
      }
      const place = page * weeks + week
      contents[place] = content
      if (week > 0 && contents[place - 1] !== content) changed[week].push(page)
    }
  })
  return {
    weeks,
    archivePages,
    contents,
    versions: Uint32Array.from(versions),
    changedPages: changed.map((pages) => Uint32Array.from(pages)),
    days: Float64Array.from(
      { length: weeks },
      (_, week) => (archive.timeOf(week) - archive.timeOf(0)) / 86_400,
    ),
  }
}

function isAlwaysLive(archive: Archive, page: number): boolean {
  for (let week = 0; week < archive.snapshotCount; week++) {
    const version = archive.versionAt(page, week)
    if (version === undefined || archive.redirectOf(version) !== undefined) return false
  }
  return true
}
