import type { Bidder } from '#policy/bidder.ts'
import { uniformRefresh } from '#policy/refresh/by-age.ts'
import type { CoverGraph } from '../../covers/cover-graph.ts'
import { quotient, summedBy, sumOf } from '../../report/rows.ts'
import { byFinds } from '../../revisits/by-finds.ts'
import { byShare } from '../../revisits/by-share.ts'
import { byYield } from '../../revisits/by-yield.ts'
import type { DiscoverySite } from '../../revisits/discovery-site.ts'
import { byBidder, byInDegree, byOdWin, type RevisitingWay } from '../../revisits/revisiting.ts'
import {
  type Delays,
  delaysOf,
  type RevisitRun,
  roundsOf,
  simulateRevisits,
} from './discovery-simulation.ts'
import type { DiscoveryTally } from './discovery-tally.ts'

/** One way of revisiting at one budget. */
export interface RevisitTrial {
  readonly policy: string
  /** `weekly`: the budget is all there is. `recrawls`: it is what od-win has between its full recrawls, and all others get as many fetches as that comes to. */
  readonly spending: 'weekly' | 'recrawls'
  readonly budget: number
  readonly run: RevisitRun
}

/** What came of a trial, in sums over pages and archives. */
export interface RevisitSums extends Delays, Omit<RevisitTrial, 'run'> {
  readonly fetched: number
}

/** Recrawls of od-win are this many snapshots apart: a month of weeks. */
const MONTH = 4

/** Every way of revisiting at every budget, a user's own included, on one archive. */
export function tryRevisits(
  site: DiscoverySite,
  budgets: readonly number[],
  seed: number,
  own: readonly Bidder[] = [],
): RevisitTrial[] {
  const ways: Readonly<Record<string, RevisitingWay>> = {
    yield: byYield(),
    'yield-thompson': byYield({ seed }),
    uniform: byBidder(uniformRefresh),
    indegree: byInDegree,
    'yield+indegree': byFinds([byYield(), byInDegree]),
    share: byShare(),
    'share+yield+indegree': byFinds([byShare(), byYield(), byInDegree]),
    ...Object.fromEntries(own.map((one) => [one.name, byBidder(one, seed)])),
  }
  const all = (spending: RevisitTrial['spending'], budget: number, at: (t: number) => number) =>
    Object.entries(ways).map(([policy, way]) => ({
      policy,
      spending,
      budget,
      run: simulateRevisits(site, way, at),
    }))
  return budgets.flatMap((budget) => {
    // Where there are several sites, each gets the budget, but it may be spent anywhere.
    const forAll = budget * site.siteCount
    const od = simulateRevisits(site, byOdWin(MONTH, forAll), () => forAll)
    const paid = sumOf(od.fetchedAt, Number)
    const evenly = (t: number) => Math.floor((paid * t) / (site.snapshots - 1))
    return [
      ...all('weekly', budget, () => forAll),
      { policy: 'od-win', spending: 'recrawls', budget, run: od } satisfies RevisitTrial,
      ...all('recrawls', budget, (t) => evenly(t) - evenly(t - 1)),
    ]
  })
}

/** Trials judged by the new pages that count. */
export function judgeTrials(
  site: DiscoverySite,
  trials: readonly RevisitTrial[],
  graphs: readonly (CoverGraph | undefined)[],
  isCounted: (page: number) => boolean,
): { sums: RevisitSums[]; tallies: DiscoveryTally[] } {
  return {
    sums: trials.map(({ run, ...trial }) => ({
      ...trial,
      fetched: sumOf(run.fetchedAt, Number),
      ...delaysOf(site, run, isCounted),
    })),
    tallies: trials
      .filter(({ spending }) => spending === 'weekly')
      .map(({ policy, budget, run }) => roundsOf(graphs, run, [policy, budget])),
  }
}

/** Sums of all archives as lines: one for each policy, spending and budget. */
export function revisitRows(sums: readonly RevisitSums[]) {
  return summedBy(sums, ['policy', 'spending', 'budget']).map(
    ({ policy, spending, budget, fetched, born, found, foundAtOnce, delay, waiting }) => ({
      ...{ policy, spending, budget, fetched, born, found },
      coverage: quotient(found, born),
      atOnce: quotient(foundAtOnce, born),
      /** Snapshots from birth to discovery, over the pages found. */
      delay: quotient(delay, found),
      /** The same over all pages, those never found included. */
      waiting: quotient(waiting, born),
    }),
  )
}
