import type { RefreshTexts } from './refresh-lab.ts'
import { changeShare, shinglesOf } from './shingles.ts'

/** Every change of every page: those of page p are offsets[p] .. offsets[p + 1], in the order of time. */
export interface PageChanges {
  readonly offsets: Uint32Array
  readonly weeks: Uint32Array
  /** Which share of the shingles differs. */
  readonly shares: Float64Array
}

/** Compares every content with the one a week before it. */
export function pageChanges({ archive, pages }: RefreshTexts): PageChanges {
  const { contents, weeks, versions, archivePages } = pages
  const offsets = new Uint32Array(archivePages.length + 1)
  const changeWeeks: number[] = []
  const shares: number[] = []
  for (let page = 0; page < archivePages.length; page++) {
    const known = new Map<number, Float64Array>()
    const shinglesAt = (week: number): Float64Array => {
      const content = contents[page * weeks + week]
      const shingles =
        known.get(content) ??
        shinglesOf(
          `${archive.titleOf(versions[content])}\n${archive.mainTextOf(versions[content])}`,
        )
      known.set(content, shingles)
      return shingles
    }
    for (let week = 1; week < weeks; week++) {
      if (contents[page * weeks + week] === contents[page * weeks + week - 1]) continue
      changeWeeks.push(week)
      shares.push(changeShare(shinglesAt(week - 1), shinglesAt(week)))
    }
    offsets[page + 1] = shares.length
  }
  return { offsets, weeks: Uint32Array.from(changeWeeks), shares: Float64Array.from(shares) }
}
