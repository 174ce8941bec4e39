import { interleavedGains, partialCover } from '../../covers/greedy-cover.ts'
import { quotient, summedBy, sumOf } from '../../report/rows.ts'
import type { DiscoveryMeasures } from './discovery.ts'
import { revisitRows } from './discovery-compare.ts'
import type { GapCovers, GreedyRound } from './discovery-covers.ts'
import type { HistoryBound } from './discovery-history.ts'
import { discoveryRow, pooledTallies } from './discovery-tally.ts'

/** What several archives show together; null stands where there is nothing to divide by. */
export type DiscoveryPool = ReturnType<typeof poolDiscovery>

const SHARES = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1]
const LIMITS = [1, 2, 3, 5, 10, 20, 50, 100, 200, 600]
const COVER_SIZES = [1, 2, 3, 5, 10, 20, 50, 100]
const NEW_PAGES = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512]

/** Adds up what archives show: sums are divided, not shares averaged, unless it says mean. */
export function poolDiscovery(found: readonly DiscoveryMeasures[]) {
  const greedy = found.flatMap((one) => one.greedy)
  return {
    rows: pooledTallies(found.flatMap(({ tallies }) => tallies)).map(discoveryRow),
    bounds: summedBy(
      found.flatMap(({ bounds }) => bounds),
      ['period'],
    ).map(boundRow),
    // Covers of a share of each site's new pages, and of all new pages at once.
    greedy: SHARES.map((share) => ({ share, overhead: overheadAt(greedy, share) })),
    interleaved: interleavedRows(greedy),
    // Covers cut off at a size, how many need a 90 % cover of each size, and overhead by what there is to find.
    limits: LIMITS.map((limit) => limitRow(greedy, limit)),
    sizes90: histogram(
      greedy.map(({ gains, newPages }) => partialCover(gains, 0.9, newPages).size),
      COVER_SIZES,
    ).map(({ name, members }) => ({ size: name, rounds: members.length })),
    bySize: sizeRows(greedy),
    overlap: summedBy(
      found.flatMap(({ overlap }) => overlap),
      ['from'],
    ).map(({ from, pairs, shares, rounds }) => ({
      ...{ from, pairs, meanShare: quotient(shares, rounds) },
    })),
    revisits: revisitRows(found.flatMap(({ revisits }) => revisits)),
  }
}

/** Covers at longer gaps, added up over archives. */
export function poolGaps(found: readonly GapCovers[]) {
  return summedBy(found, ['gap'])
    .map(({ gap, rounds, newPages, cover90, covered90, cover100 }) => ({
      gap,
      rounds,
      meanNewPages: quotient(newPages, rounds),
      overhead90: quotient(cover90, covered90),
      overhead100: quotient(cover100, newPages),
    }))
    .sort((a, b) => a.gap - b.gap)
}

/** `settled`: without the first snapshots, in which the longest period has had no recrawl. */
function boundRow(bound: HistoryBound) {
  return {
    period: bound.period,
    coverage: quotient(bound.covered, bound.discoverable),
    settled: quotient(bound.settledCovered, bound.settledDiscoverable),
  }
}

function overheadAt(rounds: readonly GreedyRound[], share: number): number | null {
  const covers = rounds.map(({ gains, newPages }) => partialCover(gains, share, newPages))
  return quotient(sumOf(covers, 'size'), sumOf(covers, 'covered'))
}

function interleavedRows(rounds: readonly GreedyRound[]) {
  const gains = interleavedGains(rounds)
  const all = sumOf(rounds, ({ gains: own }) => sumOf(own, Number))
  return SHARES.map((share) => {
    const { size, covered } = partialCover(gains, share, all)
    return { share, overhead: quotient(size, covered) }
  })
}

function limitRow(rounds: readonly GreedyRound[], limit: number) {
  const kept = rounds.flatMap(({ gains }) => gains.slice(0, limit))
  const covered = sumOf(kept, Number)
  return {
    limit,
    newPages: quotient(covered, rounds.length),
    overhead: quotient(kept.length, covered),
    coverage: quotient(covered, sumOf(rounds, 'newPages')),
  }
}

function sizeRows(rounds: readonly GreedyRound[]) {
  const bins = histogram(
    rounds.map(({ newPages }) => newPages),
    NEW_PAGES,
  )
  return bins.map(({ name, members }) => {
    const own = members.map((i) => rounds[i])
    return {
      newPages: name,
      rounds: own.length,
      meanNewPages: quotient(sumOf(own, 'newPages'), own.length),
      overhead90: overheadAt(own, 0.9),
      overhead100: overheadAt(own, 1),
    }
  })
}

/** Places of values in bins that begin at the given bounds; a bin that begins just below the next is named by one number. */
function histogram(values: readonly number[], bounds: readonly number[]) {
  const bins = bounds.map((from, i) => {
    const to = (bounds[i + 1] ?? Number.POSITIVE_INFINITY) - 1
    const name =
      to === from ? `${from}` : to < Number.POSITIVE_INFINITY ? `${from}–${to}` : `${from}+`
    return { name, members: [] as number[] }
  })
  for (const [i, value] of values.entries())
    bins[bounds.findLastIndex((bound) => bound <= value)]?.members.push(i)
  return bins
}
