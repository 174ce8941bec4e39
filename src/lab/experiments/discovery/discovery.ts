import type { Bidder } from '#policy/bidder.ts'
import type { CoverGraph } from '../../covers/cover-graph.ts'
import { partialCover } from '../../covers/greedy-cover.ts'
import { sumOf } from '../../report/rows.ts'
import type { DiscoverySite } from '../../revisits/discovery-site.ts'
import {
  judgeTrials,
  type RevisitSums,
  type RevisitTrial,
  tryRevisits,
} from './discovery-compare.ts'
import {
  coversByGap,
  type GapCovers,
  type GreedyRound,
  greedyRounds,
  type NewSites,
  type NewSitesAtGap,
  newSitesByGap,
  newSitesOf,
  type OverlapBin,
  overlapOf,
} from './discovery-covers.ts'
import { bySite, weeklyGraphs, withoutListings } from './discovery-graphs.ts'
import { type HistoryBound, type HistoryFound, historyOf } from './discovery-history.ts'
import { type DiscoveryTally, pooledTallies } from './discovery-tally.ts'

interface DiscoveryOptions {
  /** Snapshots between full recrawls. */
  readonly periods: readonly number[]
  /** Fetches for a site and a snapshot. */
  readonly budgets: readonly number[]
  readonly seed: number
  /** Bidders of the user's own, to be tried beside ours. */
  readonly own?: readonly Bidder[]
}

/** One snapshot of an archive. */
export interface DiscoveryStep {
  readonly t: number
  readonly newPages: number
  readonly cover90: number
  readonly cover100: number
  /** New pages that any old page leads to. */
  readonly covered100: number
  /** Of these, reached from pages that led to a new one at an earlier snapshot. */
  readonly history: number
}

/** What is measured once with all new pages, and once without new listing pages. */
export interface DiscoveryMeasures {
  readonly tallies: readonly DiscoveryTally[]
  readonly bounds: readonly HistoryBound[]
  readonly greedy: readonly GreedyRound[]
  readonly overlap: readonly OverlapBin[]
  readonly revisits: readonly RevisitSums[]
}

/** What one archive shows; everything can be added up over archives. */
export interface DiscoveryFound {
  readonly sites: number
  /** Pages born after the first snapshot, and how many of them are listings. */
  readonly born: number
  readonly bornListings: number
  readonly steps: readonly DiscoveryStep[]
  readonly all: DiscoveryMeasures
  readonly withoutListings: DiscoveryMeasures
  readonly gaps: readonly GapCovers[]
  readonly newSites: readonly NewSites[]
  readonly newSiteGaps: readonly NewSitesAtGap[]
}

/** Cover sizes and the history bound of each snapshot, without anything else. */
export function coverSteps(site: DiscoverySite): DiscoveryStep[] {
  const sites = bySite(site, weeklyGraphs(site))
  const histories = sites.map((one) => historyOf(one, [1], []))
  return stepsOf(site, greedyRounds(sites), historyByStep(site, histories))
}

/** Where the new pages of an archive appear, and how each way of looking for them fares. */
export function measureDiscovery(
  site: DiscoverySite,
  { periods, budgets, seed, own }: DiscoveryOptions,
): DiscoveryFound {
  const trials = tryRevisits(site, budgets, seed, own)
  const graphs = weeklyGraphs(site)
  const lean = withoutListings(site, graphs)
  const isLean = (page: number) => site.isListing[page] === 0
  const isBorn = (born: number) => born > 0 && born < site.snapshots
  const { measures, history } = measure(site, graphs, { periods, budgets, trials })
  return {
    sites: site.siteCount,
    born: site.bornAt.filter(isBorn).length,
    bornListings: site.bornAt.filter((born, page) => isBorn(born) && !isLean(page)).length,
    steps: stepsOf(site, measures.greedy, history),
    all: measures,
    withoutListings: measure(site, lean, { periods, budgets, trials, isCounted: isLean }).measures,
    gaps: coversByGap(site),
    newSites: newSitesOf(site),
    newSiteGaps: newSitesByGap(site),
  }
}

interface Trials {
  readonly periods: readonly number[]
  readonly budgets: readonly number[]
  readonly trials: readonly RevisitTrial[]
  readonly isCounted?: (page: number) => boolean
}

function measure(
  site: DiscoverySite,
  graphs: readonly (CoverGraph | undefined)[],
  { periods, budgets, trials, isCounted = () => true }: Trials,
): { measures: DiscoveryMeasures; history: readonly number[] } {
  const sites = bySite(site, graphs)
  const histories = sites.map((one) => historyOf(one, [...new Set([1, ...periods])], budgets))
  const judged = judgeTrials(site, trials, graphs, isCounted)
  const measures = {
    tallies: [...pooledTallies(histories.flatMap(({ tallies }) => tallies)), ...judged.tallies],
    bounds: histories.flatMap(({ bounds }) => bounds),
    greedy: greedyRounds(sites),
    overlap: overlapOf(sites),
    revisits: judged.sums,
  }
  return { measures, history: historyByStep(site, histories) }
}

function historyByStep(site: DiscoverySite, histories: readonly HistoryFound[]): number[] {
  return Array.from({ length: site.snapshots - 1 }, (_, step) =>
    sumOf(histories, ({ history }) => history[step]),
  )
}

function stepsOf(
  site: DiscoverySite,
  rounds: readonly GreedyRound[],
  history: readonly number[],
): DiscoveryStep[] {
  return history.map((reached, step) => {
    const t = step + 1
    const own = rounds.filter((round) => round.t === t)
    return {
      t,
      newPages: site.bornAt.filter((born) => born === t).length,
      cover90: sumOf(own, ({ gains, newPages }) => partialCover(gains, 0.9, newPages).size),
      cover100: sumOf(own, ({ gains }) => gains.length),
      covered100: sumOf(own, 'newPages'),
      history: reached,
    }
  })
}
