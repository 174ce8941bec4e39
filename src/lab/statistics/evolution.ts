import type { Archive } from '#archive/format/archive.ts'
import { sumOf } from '../report/rows.ts'

/** How an archive changes from snapshot to snapshot, in shares of old or of new pages; with nothing to divide by they are 0. */
export function evolutionOf(archive: Archive) {
  const seen = new Uint8Array(archive.pageCount)
  const changes = new Uint32Array(archive.pageCount)
  const stepsAsOld = new Uint32Array(archive.pageCount)
  for (const page of archive.livePages(0)) seen[page] = 1
  const steps = Array.from({ length: archive.snapshotCount - 1 }, (_, step) =>
    evolutionStep(archive, step + 1, { seen, changes, stepsAsOld }),
  )
  const [old, born] = [sumOf(steps, 'old'), sumOf(steps, 'born')]
  const before = old + sumOf(steps, 'died')
  const days = (archive.timeOf(archive.snapshotCount - 1) - archive.timeOf(0)) / 86_400
  return {
    stepDays: share(days, steps.length),
    changedShare: share(sumOf(steps, 'changed'), old),
    mainTextChangedShare: share(sumOf(steps, 'mainTextChanged'), old),
    bornShare: share(born, before),
    diedShare: share(sumOf(steps, 'died'), before),
    directShare: share(sumOf(steps, 'direct'), born),
    chainShare: share(sumOf(steps, 'chain'), born),
    orphanShare: share(sumOf(steps, 'orphan'), born),
    ...concentrationOf(changes, stepsAsOld),
    steps,
  }
}

/** By page: seen at any earlier snapshot, changes of main text, and steps it lived through. */
interface Histories {
  readonly seen: Uint8Array
  readonly changes: Uint32Array
  readonly stepsAsOld: Uint32Array
}

const OLD = 1
const NEW = 2
const REACHED = 3

/**
 * Counts of one step from a snapshot to the next. Old pages are live before and after; changed is their content (title,
 * text, links) or their main text. New pages were never seen: an old page links to them, only new ones do, or none.
 */
function evolutionStep(archive: Archive, snapshot: number, histories: Histories) {
  const { seen, changes, stepsAsOld } = histories
  const roles = new Uint8Array(archive.pageCount)
  const oldVersions: number[] = []
  const newPages: number[] = []
  let changed = 0
  let mainTextChanged = 0
  let died = 0
  for (let page = 0; page < archive.pageCount; page++) {
    const before = archive.versionAt(page, snapshot - 1)
    const now = archive.versionAt(page, snapshot)
    if (before !== undefined && now === undefined) died++
    if (now === undefined) continue
    if (before !== undefined) {
      roles[page] = OLD
      oldVersions.push(now)
      stepsAsOld[page]++
      if (now !== before && !archive.sameContent(now, before)) changed++
      if (now !== before && !archive.sameMainText(now, before)) {
        mainTextChanged++
        changes[page]++
      }
    } else if (!seen[page]) {
      roles[page] = NEW
      newPages.push(page)
    }
    seen[page] = 1
  }
  const { direct, chain } = reachNewPages(archive, snapshot, oldVersions, roles)
  const born = newPages.length
  const orphan = born - direct - chain
  const old = oldVersions.length
  return { snapshot, old, changed, mainTextChanged, born, died, direct, chain, orphan }
}

/** Follows links from old pages to new ones, and on from those; marks what it reaches. */
function reachNewPages(
  archive: Archive,
  snapshot: number,
  oldVersions: readonly number[],
  roles: Uint8Array,
): { direct: number; chain: number } {
  const reached: number[] = []
  const follow = (version: number) =>
    archive.forEachLink(version, (link) => {
      const target = archive.linkPage(link)
      if (target === undefined || roles[target] !== NEW) return
      roles[target] = REACHED
      reached.push(target)
    })
  for (const version of oldVersions) follow(version)
  const direct = reached.length
  for (let next = 0; next < reached.length; next++)
    follow(archive.versionAt(reached[next], snapshot)!)
  return { direct, chain: reached.length - direct }
}

function concentrationOf(changes: Uint32Array, stepsAsOld: Uint32Array) {
  const ofLongLived = changes.filter((_, page) => stepsAsOld[page] > 0).sort()
  const busiest = ofLongLived.subarray(Math.floor(ofLongLived.length * 0.9))
  const total = (values: Uint32Array) => values.reduce((sum, value) => sum + value, 0)
  return {
    /** Share of all main text changes that the most changing tenth of the pages made. */
    busiestTenthShare: share(total(busiest), total(ofLongLived)),
    /** Share of pages live at two snapshots or more whose main text never changed. */
    neverChangedShare: share(ofLongLived.filter((count) => count === 0).length, ofLongLived.length),
  }
}

export function share(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole
}
