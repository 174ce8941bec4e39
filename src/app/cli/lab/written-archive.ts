import type { ArchiveRecords } from '#archive/format/format.ts'
import { duration, some } from '../terminal/output.ts'

/** What an import wrote. */
export interface WrittenArchive {
  readonly out: string
  readonly id: string
  readonly pages: number
  readonly versions: number
  readonly snapshots: number
  readonly from: string
  readonly to: string
  readonly start: readonly string[]
}

export function writtenArchive(out: string, { site, pages }: ArchiveRecords): WrittenArchive {
  const { id, snapshots, start } = site
  const all = [...pages]
  const versionsOf = ({ v }: (typeof all)[number]) => new Set(v.map(([, , version]) => version))
  return {
    ...{ out, id, start, pages: all.length },
    versions: all.reduce((sum, page) => sum + versionsOf(page).size, 0),
    snapshots: snapshots.length,
    ...{ from: snapshots[0].date, to: snapshots[snapshots.length - 1].date },
  }
}

/** What was written in so many seconds, and what to do with it. */
export function writtenLines(written: WrittenArchive, seconds: number): string[] {
  const { out, pages, versions, snapshots, from, to } = written
  const span = snapshots === 1 ? from : `${from} to ${to}`
  return [
    `wrote ${some(pages, 'page')} in ${some(versions, 'version')} over ${some(snapshots, 'snapshot')} (${span}) to ${out} (${duration(seconds)})`,
    `Try: forager lab list ${out} --statistics   or: forager lab serve ${out}`,
  ]
}
