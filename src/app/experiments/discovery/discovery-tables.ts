import type { DiscoveryFound } from '#lab/experiments/discovery/discovery.ts'
import { revisitRows } from '#lab/experiments/discovery/discovery-compare.ts'
import {
  type DiscoveryPool,
  poolDiscovery,
  poolGaps,
} from '#lab/experiments/discovery/discovery-pool.ts'
import type { SiteRevisits } from '#lab/experiments/discovery/waiting-ratios.ts'
import type { WaitingTables } from './waiting-tables.ts'

/** What one archive shows. */
interface ArchiveDiscovery {
  readonly archive: string
  readonly found: DiscoveryFound
}

/** Tables of the result, and tables of the same numbers as views need them. */
export type DiscoveryTables = ReturnType<typeof discoveryTables> &
  WaitingTables & {
    readonly archives: readonly ArchiveDiscovery[]
  }

interface Point {
  readonly archive: string
  readonly pages: number
  readonly found: number
}

/** Sums over archives, with all new pages and without new listing pages. */
export function discoveryTables(archives: readonly ArchiveDiscovery[]) {
  const pool = poolDiscovery(archives.map(({ found }) => found.all))
  const lean = leanPool(archives)
  const gaps = poolGaps(archives.flatMap(({ found }) => found.gaps))
  const both = <Row>(rowsOf: (one: DiscoveryPool) => readonly Row[]) =>
    [pool, lean].flatMap((one) => rowsOf(one).map((row) => ({ ...row, isLean: one === lean })))
  const newSites = archives
    .map(({ archive, found }) => ({ archive, steps: found.newSites }))
    .filter(({ steps }) => steps.length > 0)
  return {
    ...pool,
    gaps,
    sites: sitesOf(archives),
    newSites,
    newSiteGaps: archives.flatMap(({ archive, found }) =>
      found.newSiteGaps.map((row) => ({ archive, ...row })),
    ),
    trajectories: archives.flatMap(({ archive, found }) => {
      // The busiest snapshot of each archive: a line for every site and time would be a thicket.
      const busiest = found.all.greedy.toSorted((a, b) => b.newPages - a.newPages).at(0)
      return runningTotals(archive, busiest?.gains ?? [])
    }),
    newSiteGains: newSites.flatMap(({ archive, steps }) =>
      runningTotals(
        archive,
        steps.flatMap(({ gains }) => gains).sort((a, b) => b - a),
      ),
    ),
    newSiteSteps: newSites.flatMap(({ archive, steps }) =>
      steps.filter((step) => step.newSites > 0).map((step) => ({ archive, ...step })),
    ),
    covers: both(({ greedy, interleaved }) =>
      greedy.map(({ share, overhead }, i) => ({
        ...{ share, ofEach: overhead, ofAll: interleaved[i].overhead },
      })),
    ),
    sizes: [...pool.bySize, ...gaps].map(({ meanNewPages, overhead90, overhead100 }) => ({
      newPages: meanNewPages,
      overhead90,
      overhead100,
    })),
    allRows: both(({ rows }) => rows),
    allBounds: both(({ bounds }) => bounds),
    allRevisits: both(({ revisits }) => revisits),
  }
}

/** How each way of revisiting did on each archive. */
export function revisitsOf(archives: readonly ArchiveDiscovery[]): SiteRevisits[] {
  return archives.flatMap(({ archive, found }) =>
    found.all.revisits.map((row) => ({ archive, ...row })),
  )
}

/** The same numbers when new listing pages do not count. */
export function leanPool(archives: readonly ArchiveDiscovery[]): DiscoveryPool {
  return poolDiscovery(archives.map(({ found }) => found.withoutListings))
}

function sitesOf(archives: readonly ArchiveDiscovery[]) {
  return archives.map(({ archive, found: { sites, born, bornListings, steps, all } }) => ({
    archive,
    sites,
    born,
    bornListings,
    steps,
    revisits: revisitRows(all.revisits),
  }))
}

function runningTotals(archive: string, gains: readonly number[]): Point[] {
  let found = 0
  return gains.map((gain, i) => {
    found += gain
    return { archive, pages: i + 1, found }
  })
}
