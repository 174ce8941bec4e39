import type { Archive } from '#archive/format/archive.ts'
import { hash32 } from '#numeric/hash.ts'

/** The content of a page that is not there, where pages may come and go: no word, no score. */
export const NOTHING = 0
/** In place of a version that has the content NOTHING. */
export const NO_VERSION = 0xffff_ffff

/**
 * Pages of an archive, and what they said when. A page is a number from 0 in the order of its URL's hash,
 * so that ties between pages are broken at random. Contents that a page had twice are one:
 * `contents[page * weeks + week]` numbers them, those of a page are neighbours.
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
  return pagesThat(archive, (page) => isLiveAt(archive, page, 'every'), [])
}

/** Pages that were live at some time; while they are not, or are a redirect, their content is NOTHING. */
export function comingAndGoingPages(archive: Archive): WeeklyPages {
  return pagesThat(archive, (page) => isLiveAt(archive, page, 'some'), [NO_VERSION])
}

function pagesThat(
  archive: Archive,
  isKept: (page: number) => boolean,
  versions: number[],
): WeeklyPages {
  const weeks = archive.snapshotCount
  const kept = Array.from({ length: archive.pageCount }, (_, page) => page)
    .filter(isKept)
    .map((page) => ({ page, lot: hash32(archive.urlOf(page)) }))
    .sort((a, b) => a.lot - b.lot || a.page - b.page)
  const archivePages = Uint32Array.from(kept, ({ page }) => page)
  const contents = new Uint32Array(archivePages.length * weeks)
  const changed = Array.from({ length: weeks }, (): number[] => [])
  archivePages.forEach((archivePage, page) => {
    const numberOf = new Map<string, number>()
    for (let week = 0; week < weeks; week++) {
      const version = liveVersion(archive, archivePage, week)
      const hash = version === undefined ? undefined : archive.mainHashOf(version)
      let content = hash === undefined ? NOTHING : numberOf.get(hash)
      if (content === undefined) {
        content = versions.push(version!) - 1
        numberOf.set(hash!, content)
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

/** The version a fetch would bring at a snapshot; none where there is no page, or a redirect. */
export function liveVersion(archive: Archive, page: number, snapshot: number): number | undefined {
  const version = archive.versionAt(page, snapshot)
  return version === undefined || archive.redirectOf(version) !== undefined ? undefined : version
}

function isLiveAt(archive: Archive, page: number, when: 'every' | 'some'): boolean {
  for (let week = 0; week < archive.snapshotCount; week++)
    if ((liveVersion(archive, page, week) !== undefined) === (when === 'some'))
      return when === 'some'
  return when === 'every'
}
