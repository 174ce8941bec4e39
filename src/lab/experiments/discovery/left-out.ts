import type { SignWeights } from '#learn/yields/hub-signs.ts'
import { summedBy, sumOf } from '../../report/rows.ts'
import { byFinds } from '../../revisits/by-finds.ts'
import { byShare } from '../../revisits/by-share.ts'
import { byYield } from '../../revisits/by-yield.ts'
import type { DiscoverySite } from '../../revisits/discovery-site.ts'
import { byInDegree, type RevisitingWay } from '../../revisits/revisiting.ts'
import type { RevisitSums } from './discovery-compare.ts'
import { delaysOf, simulateRevisits } from './discovery-simulation.ts'
import { logWaiting, type SiteRevisits } from './waiting-ratios.ts'

/** Revisits of which about as many links were expected, and what they showed. */
export interface CalibrationBin {
  /** Links expected of a revisit, at least; each bin begins at four times the one before. */
  readonly from: number
  readonly revisits: number
  readonly expected: number
  readonly found: number
}

/** What a site that took no part in choosing anything shows. */
interface LeftOut {
  readonly revisits: readonly RevisitSums[]
  readonly calibration: readonly CalibrationBin[]
}

/** Values that other sites choose from: how many times what comes is expected of pages at first sight. */
const OPTIMISMS = [1, 2, 4, 8] as const
const USUAL_OPTIMISM = 2
const TRIED = 'share-'
/** The first bin ends here. */
const LEAST_EXPECTED = 4 ** -5
const MOST_BIN = 8

/** All ways of revisiting one site, with weights of signs that other sites chose. */
export function tryLeftOut(
  site: DiscoverySite,
  weights: SignWeights,
  budgets: readonly number[],
): LeftOut {
  const bins: CalibrationBin[] = []
  const watch = (expected: number, found: number) =>
    bins.push({ from: binOf(expected), revisits: 1, expected, found })
  const ways: Readonly<Record<string, RevisitingWay>> = {
    indegree: byInDegree,
    yield: byYield(),
    'yield+indegree': byFinds([byYield(), byInDegree]),
    'share+yield+indegree': byFinds([byShare({ weights }), byYield(), byInDegree]),
    ...Object.fromEntries(
      OPTIMISMS.map((optimism) => [
        `${TRIED}${optimism}`,
        byShare({ weights, optimism, watch: optimism === USUAL_OPTIMISM ? watch : undefined }),
      ]),
    ),
  }
  const revisits = Object.entries(ways).flatMap(([policy, way]) =>
    budgets.map((budget): RevisitSums => {
      const run = simulateRevisits(site, way, () => budget * site.siteCount)
      const fetched = sumOf(run.fetchedAt, Number)
      return { policy, spending: 'weekly', budget, fetched, ...delaysOf(site, run) }
    }),
  )
  return { revisits, calibration: pooledBins(bins) }
}

/** Bins of several sites added up, in order. */
export function pooledBins(bins: readonly CalibrationBin[]): CalibrationBin[] {
  return summedBy(bins, ['from']).sort((a, b) => a.from - b.from)
}

/**
 * Rows of all sites with `share` added: on each site with the optimism by which new pages of the other sites waited
 * least. The trials it was chosen from are left out.
 */
export function chosenByOthers(rows: readonly SiteRevisits[]): SiteRevisits[] {
  const isTrial = ({ policy }: SiteRevisits) => policy.startsWith(TRIED)
  const kept = rows.filter((row) => !isTrial(row))
  const chosen = [...new Set(rows.map(({ archive }) => archive))].flatMap((archive) => {
    const others = rows.filter((row) => row.archive !== archive)
    const names = [...new Set(rows.filter(isTrial).map(({ policy }) => policy))]
    const waited = (name: string) => logWaiting(others.filter(({ policy }) => policy === name))
    const best = names.reduce((a, b) => (waited(b) < waited(a) ? b : a))
    return rows.filter((row) => row.archive === archive && row.policy === best)
  })
  return [...kept, ...chosen.map((row) => ({ ...row, policy: 'share' }))]
}

/** On each site the rows of whoever of two let new pages wait less, under a name of their own. */
export function betterOf(
  rows: readonly SiteRevisits[],
  rivals: readonly string[],
  name: string,
): SiteRevisits[] {
  return [...Map.groupBy(rows, ({ archive }) => archive).values()].flatMap((own) => {
    const byRival = rivals.map((rival) => own.filter(({ policy }) => policy === rival))
    const best = byRival.reduce((a, b) => (logWaiting(b) < logWaiting(a) ? b : a))
    return best.map((row) => ({ ...row, policy: name }))
  })
}

function binOf(expected: number): number {
  if (expected < LEAST_EXPECTED) return 0
  const bin = Math.min(MOST_BIN, Math.floor(Math.log(expected / LEAST_EXPECTED) / Math.log(4)))
  return LEAST_EXPECTED * 4 ** bin
}
