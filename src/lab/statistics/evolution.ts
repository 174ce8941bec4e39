import type { Archive } from '#archive/format/archive.ts'

/** Counts of one step from a snapshot to the next. */
interface EvolutionStep {
  readonly snapshot: number
  /** Live before and after. */
  readonly old: number
  /** Old pages whose content (title, text, links) changed, and those whose main text did. */
  readonly changed: number
  readonly mainTextChanged: number
  /** Never seen before. */
  readonly born: number
  /** Live before, not after. */
  readonly died: number
  /** New pages that an old page links to. */
  readonly direct: number
  /** New pages reached from old ones through other new ones only. */
  readonly chain: number
  /** New pages that no path reaches. */
  readonly orphan: number
}

/** How an archive changes, over all its steps: shares of old pages a step, or of new pages. */
export interface Evolution {
  readonly stepDays: number
  readonly changedShare: number
  readonly mainTextChangedShare: number
  readonly bornShare: number
  readonly diedShare: number
  readonly directShare: number
  readonly chainShare: number
  readonly orphanShare: number
  /** Share of all main text changes that the most changing tenth of the pages made. */
  readonly busiestTenthShare: number
  /** Share of pages live at two snapshots or more whose main text never changed. */
  readonly neverChangedShare: number
  readonly steps: readonly EvolutionStep[]
}

/** How an archive changes from snapshot to snapshot. Shares with nothing to divide by are 0. */
export function evolutionOf(archive: Archive): Evolution {
  const seen = new Uint8Array(archive.pageCount)
  const changes = new Uint32Array(archive.pageCount)
  const stepsAsOld = new Uint32Array(archive.pageCount)
  const steps: EvolutionStep[] = []
  for (const page of archive.livePages(0)) seen[page] = 1
  for (let snapshot = 1; snapshot < archive.snapshotCount; snapshot++)
    steps.push(evolutionStep(archive, snapshot, { seen, changes, stepsAsOld }))
  const sum = (count: (step: EvolutionStep) => number) =>
    steps.reduce((total, step) => total + count(step), 0)
  const old = sum((step) => step.old)
  const before = sum((step) => step.old + step.died)
  const born = sum((step) => step.born)
  const days = (archive.timeOf(archive.snapshotCount - 1) - archive.timeOf(0)) / 86_400
  return {
    stepDays: share(days, steps.length),
    changedShare: share(
      sum((step) => step.changed),
      old,
    ),
    mainTextChangedShare: share(
      sum((step) => step.mainTextChanged),
      old,
    ),
    bornShare: share(born, before),
    diedShare: share(
      sum((step) => step.died),
      before,
    ),
    directShare: share(
      sum((step) => step.direct),
      born,
    ),
    chainShare: share(
      sum((step) => step.chain),
      born,
    ),
    orphanShare: share(
      sum((step) => step.orphan),
      born,
    ),
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

function evolutionStep(archive: Archive, snapshot: number, histories: Histories): EvolutionStep {
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
    busiestTenthShare: share(total(busiest), total(ofLongLived)),
    neverChangedShare: share(ofLongLived.filter((count) => count === 0).length, ofLongLived.length),
  }
}

function share(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole
}
