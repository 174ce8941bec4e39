import type { CoverGraph } from '../../covers/cover-graph.ts'
import { greedyCover } from '../../covers/greedy-cover.ts'
import {
  cliqLast,
  cliqWin,
  everLed,
  type HistoryAlgorithm,
  odLast,
  odWin,
  pastCover,
} from '../../covers/history-algorithms.ts'
import type { Recrawl } from '../../covers/past-recrawls.ts'
import { addRound, type DiscoveryTally, emptyTally } from './discovery-tally.ts'

/** One site through time: graphs[t] says what was new at snapshot t; there is none for snapshot 0. */
export interface SiteGraphs {
  readonly graphs: readonly (CoverGraph | undefined)[]
  isLive(page: number, snapshot: number): boolean
  liveCount(snapshot: number): number
  bornAt(page: number): number
}

/** New pages covered by all pages that ever led to one, with a full recrawl every so many snapshots. */
export interface HistoryBound {
  readonly period: number
  covered: number
  discoverable: number
  /** The same without the first snapshots, in which the longest period has had no recrawl. */
  settledCovered: number
  settledDiscoverable: number
}

export interface HistoryFound {
  readonly tallies: DiscoveryTally[]
  readonly bounds: HistoryBound[]
  /** By snapshot from 1 on: new pages covered when every snapshot is a recrawl. */
  readonly history: number[]
}

/** Clusters are linked at an overlap of 1 − ε; the paper prints ε = 0.8 and may mean 0.2. */
function algorithms({ bornAt }: SiteGraphs): Readonly<Record<string, HistoryAlgorithm>> {
  return {
    'od-1': odLast,
    'od-win': odWin(),
    'od-win-a0.8': odWin({ alpha: 0.8 }),
    'od-win-birth': odWin({ bornAt }),
    'cliq-1-e0.8': cliqLast(0.2),
    'cliq-1-e0.2': cliqLast(0.8),
    'cliq-win-e0.8': cliqWin(0.2),
    'cliq-win-e0.2': cliqWin(0.8),
    cov: pastCover,
  }
}

/**
 * How the algorithms that work from full recrawls fare on one site, at each snapshot and budget. A
 * recrawl at snapshot t tells what was new at t, and is of use from t + 1 on.
 *
 * @paper DasguptaEtAl2007 §5.5 and §5.6 — every snapshot is judged, recrawl or not, so that all periods are judged on the same new pages.
 */
export function historyOf(
  site: SiteGraphs,
  periods: readonly number[],
  budgets: readonly number[],
): HistoryFound {
  const tallies = greedyTallies(site, budgets)
  const bounds: HistoryBound[] = []
  let history: number[] = []
  for (const period of periods) {
    const isRecrawl = (snapshot: number) => snapshot % period === 0
    const { bound, covered } = boundOf(site, period, isRecrawl, Math.max(...periods))
    bounds.push(bound)
    if (period === 1) history = covered
    for (const [name, algorithm] of Object.entries(algorithms(site))) {
      const own = talliesOf(site, algorithm, isRecrawl, budgets, [name, period])
      tallies.push(...own)
      if (name === 'od-win' && period === 1)
        tallies.push(...own.map((tally) => ({ ...tally, algorithm: 'od-all' })))
    }
  }
  return { tallies, bounds, history }
}

/** What perfect foresight would do, as far as greed finds it. */
function greedyTallies({ graphs }: SiteGraphs, budgets: readonly number[]): DiscoveryTally[] {
  const tallies = budgets.map((budget) => emptyTally('greedy', 0, budget))
  for (const graph of graphs) {
    if (graph === undefined) continue
    const { rows } = greedyCover(graph.covers)
    addPrefixes(
      tallies,
      graph,
      rows.map((row) => graph.oldPages[row]),
      0,
    )
  }
  return tallies
}

function talliesOf(
  { graphs, isLive, liveCount }: SiteGraphs,
  algorithm: HistoryAlgorithm,
  isRecrawl: (snapshot: number) => boolean,
  budgets: readonly number[],
  [name, period]: readonly [string, number],
): DiscoveryTally[] {
  const tallies = budgets.map((budget) => emptyTally(name, period, budget))
  const recrawls: Recrawl[] = []
  let order: Uint32Array = new Uint32Array(0)
  for (const [snapshot, graph] of graphs.entries()) {
    if (graph === undefined) continue
    addPrefixes(tallies, graph, order, isRecrawl(snapshot) ? liveCount(snapshot) : 0)
    if (!isRecrawl(snapshot)) continue
    recrawls.push({ time: snapshot, graph })
    // Whatever the recrawl found gone is not tried again.
    order = algorithm(recrawls, snapshot).filter((page) => isLive(page, snapshot))
  }
  return tallies
}

/** Adds a round to each tally: the first pages of an order, as many as its budget allows. */
function addPrefixes(
  tallies: readonly DiscoveryTally[],
  graph: CoverGraph,
  order: Uint32Array,
  recrawled: number,
): void {
  const discoverable = graph.newPages.length
  const covered = coveredByPrefix(graph, order)
  for (const tally of tallies) {
    const fetched = Math.min(tally.budget, order.length)
    addRound(tally, { fetched, covered: covered[fetched], discoverable }, recrawled)
  }
}

/** How many new pages the first n pages of an order lead to, for each n from 0. */
function coveredByPrefix(graph: CoverGraph, order: ArrayLike<number>): Uint32Array {
  const { oldPages, newPages, covers } = graph
  const rowOfPage = new Map<number, number>()
  for (const [row, page] of oldPages.entries()) rowOfPage.set(page, row)
  const isCovered = new Uint8Array(newPages.length)
  const counts = new Uint32Array(order.length + 1)
  for (let i = 0; i < order.length; i++) {
    counts[i + 1] = counts[i]
    const row = rowOfPage.get(order[i])
    if (row === undefined) continue
    for (let edge = covers.offsets[row]; edge < covers.offsets[row + 1]; edge++) {
      counts[i + 1] += 1 - isCovered[covers.targets[edge]]
      isCovered[covers.targets[edge]] = 1
    }
  }
  return counts
}

/** @paper DasguptaEtAl2007 §5.5 */
function boundOf(
  { graphs }: SiteGraphs,
  period: number,
  isRecrawl: (snapshot: number) => boolean,
  longest: number,
): { bound: HistoryBound; covered: number[] } {
  const bound: HistoryBound = {
    period,
    covered: 0,
    discoverable: 0,
    settledCovered: 0,
    settledDiscoverable: 0,
  }
  const coveredAt: number[] = []
  const recrawls: Recrawl[] = []
  let pages: Uint32Array = new Uint32Array(0)
  for (const [snapshot, graph] of graphs.entries()) {
    if (graph === undefined) continue
    const covered = coveredByPrefix(graph, pages)[pages.length]
    coveredAt.push(covered)
    bound.covered += covered
    bound.discoverable += graph.newPages.length
    if (snapshot > longest) {
      bound.settledCovered += covered
      bound.settledDiscoverable += graph.newPages.length
    }
    if (!isRecrawl(snapshot)) continue
    recrawls.push({ time: snapshot, graph })
    pages = everLed(recrawls)
  }
  return { bound, covered: coveredAt }
}
