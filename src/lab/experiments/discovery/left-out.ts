import type { SignWeights } from '#learn/yields/hub-signs.ts'
import { groupsBy, meanOf, summedBy, sumOf } from '../../report/rows.ts'
import { byFinds } from '../../revisits/by-finds.ts'
import { byShare } from '../../revisits/by-share.ts'
import { byYield } from '../../revisits/by-yield.ts'
import { type DiscoverySite, sinceSnapshot } from '../../revisits/discovery-site.ts'
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

/** Revisits from one snapshot on. */
export interface LeftOutRevisits extends RevisitSums {
  readonly start: number
  /** New pages that were expected of all revisits; 0 where nobody expects a number. */
  readonly expected: number
}

/** What a site that took no part in choosing anything shows. */
interface LeftOut {
  readonly revisits: readonly LeftOutRevisits[]
  readonly calibration: readonly CalibrationBin[]
}

/** Values that other sites choose from: how many times the fitted share is expected of pages at first sight. */
const OPTIMISMS = [1, 2, 4] as const
const USUAL_OPTIMISM = 2
const TRIED = 'share-'
/** The first bin ends here. */
const LEAST_EXPECTED = 4 ** -5
const MOST_BIN = 8

/**
 * All ways of revisiting one site, with weights of signs that other sites chose. Each budget is tried from several
 * snapshots on, spread over the first half: one history is one draw, and a budget of 1 depends on it.
 */
export function tryLeftOut(
  site: DiscoverySite,
  weights: SignWeights,
  budgets: readonly number[],
  starts = 1,
): LeftOut {
  const bins: CalibrationBin[] = []
  let expectedInAll = 0
  const sumUp = (expected: number) => {
    expectedInAll += expected
  }
  const watch = (expected: number, found: number) => {
    sumUp(expected)
    bins.push({ from: binOf(expected), revisits: 1, expected, found })
  }
  const ways: Readonly<Record<string, RevisitingWay>> = {
    indegree: byInDegree,
    'yield+indegree': byFinds([byYield(), byInDegree]),
    'share+yield+indegree': byFinds([byShare({ weights }), byYield(), byInDegree]),
    ...Object.fromEntries(
      OPTIMISMS.map((optimism) => [
        `${TRIED}${optimism}`,
        byShare({ weights, optimism, watch: optimism === USUAL_OPTIMISM ? watch : sumUp }),
      ]),
    ),
  }
  const revisits = startsOf(site, starts).flatMap((start) => {
    const rest = sinceSnapshot(site, start)
    return Object.entries(ways).flatMap(([policy, way]) =>
      budgets.map((budget): LeftOutRevisits => {
        expectedInAll = 0
        const run = simulateRevisits(rest, way, () => budget * rest.siteCount)
        const fetched = sumOf(run.fetchedAt, Number)
        const sums = {
          policy,
          spending: 'weekly' as const,
          budget,
          fetched,
          ...delaysOf(rest, run),
        }
        return { ...sums, start, expected: expectedInAll }
      }),
    )
  })
  return { revisits, calibration: pooledBins(bins) }
}

/** Bins of several sites added up, in order. */
export function pooledBins(bins: readonly CalibrationBin[]): CalibrationBin[] {
  return summedBy(bins, ['from']).sort((a, b) => a.from - b.from)
}

/** Snapshots after which something is new. */
function startsOf({ snapshots, bornAt }: DiscoverySite, starts: number): number[] {
  const lastBirth = bornAt.reduce(
    (last, born) => (born < snapshots ? Math.max(last, born) : last),
    0,
  )
  const spread = Array.from({ length: starts }, (_, i) =>
    Math.floor((i * snapshots) / (2 * starts)),
  )
  return [...new Set(spread)].filter((start) => start === 0 || start < lastBirth)
}

/**
 * Rows of all sites with `share` added: on each site with the optimism by which the other sites showed as much as was
 * expected, since one budget needs numbers. (How long pages waited there says less: 1, 2 and 4 differ by chance.) The
 * trials it was chosen from are left out.
 */
export function chosenByOthers<Row extends SiteRevisits & { readonly expected: number }>(
  rows: readonly Row[],
): Row[] {
  const isTrial = ({ policy }: Row) => policy.startsWith(TRIED)
  const kept = rows.filter((row) => !isTrial(row))
  const trials = groupsBy(rows.filter(isTrial), 'policy')
  const chosen = [...new Set(rows.map(({ archive }) => archive))].flatMap((archive) => {
    const biases = Array.from(trials, ([name, own]) => ({
      name,
      bias: Math.abs(meanLogBias(own.filter((row) => row.archive !== archive))),
    }))
    const best = biases.reduce((a, b) => (b.bias < a.bias ? b : a))
    return trials.get(best.name)!.filter((row) => row.archive === archive)
  })
  return [...kept, ...chosen.map((row) => ({ ...row, policy: 'share' }))]
}

/** Over sites: the log of what was expected by what was found. */
function meanLogBias(rows: readonly (SiteRevisits & { readonly expected: number })[]): number {
  const sites = [...groupsBy(rows, 'archive').values()]
  return meanOf(sites, (own) => Math.log(sumOf(own, 'expected') / sumOf(own, 'found'))) ?? 0
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
