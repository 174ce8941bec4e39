import type { CoverGraph } from '../../covers/cover-graph.ts'
import { DiscoveryCrawler, NEVER } from '../../revisits/discovery-crawler.ts'
import type { DiscoverySite } from '../../revisits/discovery-site.ts'
import type { RevisitingWay } from '../../revisits/revisiting.ts'
import { addRound, type DiscoveryTally, emptyTally } from './discovery-tally.ts'

/** What a crawler did and found over all snapshots of a site. */
export interface RevisitRun {
  /** By page: the snapshot it was found at, or NEVER. */
  readonly foundAt: Int32Array
  /** Revisits by snapshot; none at snapshot 0. */
  readonly fetchedAt: readonly number[]
}

/** When new pages were found, in sums that can be added over sites. */
export interface Delays {
  /** Pages born after the first snapshot. */
  readonly born: number
  readonly found: number
  /** Found at the snapshot of their birth. */
  readonly foundAtOnce: number
  /** Snapshots from birth to discovery, over the pages found. */
  readonly delay: number
  /** The same over all pages; those never found wait until they go, or the archive ends. */
  readonly waiting: number
}

/** Lets a way of revisiting loose on a site, with a budget for each snapshot from 1 on. */
export function simulateRevisits(
  site: DiscoverySite,
  way: RevisitingWay,
  budgetAt: (snapshot: number) => number,
): RevisitRun {
  const crawler = new DiscoveryCrawler(site)
  const { choose, learn, settle } = way(crawler)
  const fetchedAt = [0]
  for (let snapshot = 1; snapshot < site.snapshots; snapshot++) {
    const chosen = Array.from(choose(snapshot, budgetAt(snapshot)))
    for (const page of chosen) {
      const seen = crawler.revisit(page, snapshot)
      learn?.(snapshot, page, seen)
    }
    settle?.(snapshot)
    fetchedAt.push(chosen.length)
  }
  return { foundAt: crawler.foundAt, fetchedAt }
}

/** How long the new pages of a site waited; `isCounted` may leave some out. */
export function delaysOf(
  { bornAt, versionsAt, snapshots }: DiscoverySite,
  { foundAt }: RevisitRun,
  isCounted: (page: number) => boolean = () => true,
): Delays {
  let [born, found, foundAtOnce, delay, waiting] = [0, 0, 0, 0, 0]
  for (const [page, birth] of bornAt.entries()) {
    if (birth === 0 || birth >= snapshots || !isCounted(page)) continue
    born++
    if (foundAt[page] === NEVER) {
      const gone = versionsAt.findIndex((live, snapshot) => snapshot > birth && live[page] < 0)
      waiting += (gone < 0 ? snapshots : gone) - birth
      continue
    }
    found++
    if (foundAt[page] === birth) foundAtOnce++
    delay += foundAt[page] - birth
    waiting += foundAt[page] - birth
  }
  return { born, found, foundAtOnce, delay, waiting }
}

/** The same run judged as the paper judges: only what is found at the snapshot of its birth counts. */
export function roundsOf(
  graphs: readonly (CoverGraph | undefined)[],
  { foundAt, fetchedAt }: RevisitRun,
  [algorithm, budget]: readonly [string, number],
): DiscoveryTally {
  const tally = emptyTally(algorithm, 0, budget)
  for (const [snapshot, graph] of graphs.entries()) {
    if (graph === undefined) continue
    const covered = graph.newPages.filter((page) => foundAt[page] === snapshot).length
    const discoverable = graph.newPages.length
    addRound(tally, { fetched: fetchedAt[snapshot], covered, discoverable })
  }
  return tally
}
