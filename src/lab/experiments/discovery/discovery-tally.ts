import { quotient, summedBy } from '../../report/rows.ts'

/** What came of looking for the new pages of one site at one time. */
interface DiscoveryRound {
  /** Old pages fetched again. */
  readonly fetched: number
  /** New pages these lead to. */
  readonly covered: number
  /** New pages that any old page leads to; those that none does are left out. */
  readonly discoverable: number
}

/** Many rounds of one algorithm, as sums, so that those of several archives can be added up. */
export interface DiscoveryTally {
  readonly algorithm: string
  /** Snapshots from one full recrawl to the next; 0 if there are none. */
  readonly period: number
  /** Fetches at most for a site and a snapshot. */
  readonly budget: number
  rounds: number
  fetched: number
  covered: number
  discoverable: number
  /** Sum of the places from 0 of all fetches within their rounds. */
  positions: number
  /** Pages fetched by full recrawls, which made all this possible. */
  recrawled: number
  /** Sums over rounds with something to divide by, and how many these are. */
  coverageSum: number
  coverageRounds: number
  overheadSum: number
  overheadRounds: number
}

/** A tally of nothing yet. */
export function emptyTally(algorithm: string, period: number, budget: number): DiscoveryTally {
  return {
    algorithm,
    period,
    budget,
    rounds: 0,
    fetched: 0,
    covered: 0,
    discoverable: 0,
    positions: 0,
    recrawled: 0,
    coverageSum: 0,
    coverageRounds: 0,
    overheadSum: 0,
    overheadRounds: 0,
  }
}

/** Adds one round, and the full recrawl before it if there was one. */
export function addRound(
  tally: DiscoveryTally,
  { fetched, covered, discoverable }: DiscoveryRound,
  recrawled = 0,
): void {
  tally.rounds++
  tally.fetched += fetched
  tally.covered += covered
  tally.discoverable += discoverable
  tally.positions += (fetched * (fetched - 1)) / 2
  tally.recrawled += recrawled
  if (discoverable > 0) {
    tally.coverageSum += covered / discoverable
    tally.coverageRounds++
  }
  if (covered > 0) {
    tally.overheadSum += fetched / covered
    tally.overheadRounds++
  }
}

/** Tallies of several archives added up: one for each algorithm, period and budget, in order of arrival. */
export function pooledTallies(tallies: readonly DiscoveryTally[]): DiscoveryTally[] {
  return summedBy(tallies, ['algorithm', 'period', 'budget'])
}

/**
 * The line of a tally: sums are divided, not shares averaged, unless it says mean.
 *
 * @paper DasguptaEtAl2007 §2.1 and §5.6 — means over rounds are given beside the pooled numbers.
 */
export function discoveryRow(tally: DiscoveryTally) {
  const { algorithm, period, budget, fetched, covered } = tally
  return {
    ...{ algorithm, period, budget },
    coverage: quotient(covered, tally.discoverable),
    overhead: quotient(fetched, covered),
    /** Fetches in a round. */
    coverSize: quotient(fetched, tally.rounds),
    /** Mean place from 0 of a fetch within its round; the paper's table calls it depth. */
    position: quotient(tally.positions, fetched),
    /** Overhead with the fetches of full recrawls. */
    totalOverhead: quotient(fetched + tally.recrawled, covered),
    /** Means over rounds, so that each site and time counts the same. */
    meanCoverage: quotient(tally.coverageSum, tally.coverageRounds),
    meanOverhead: quotient(tally.overheadSum, tally.overheadRounds),
  }
}
