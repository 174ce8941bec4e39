import type { Csr } from '#numeric/csr.ts'

/** What came of looking for the new pages of one site at one time. */
export interface DiscoveryRound {
  /** Old pages fetched again. */
  readonly fetched: number
  /** New pages these lead to. */
  readonly covered: number
  /** New pages that any old page leads to; those that none does are left out. */
  readonly discoverable: number
}

/** Many rounds taken together. Undefined where there is nothing to divide by. */
export interface Discovery {
  /** New pages covered, of those discoverable. */
  readonly coverage: number | undefined
  /** Fetches of old pages for each new page. */
  readonly overhead: number | undefined
  /** Old pages fetched in a round. */
  readonly meanCoverSize: number | undefined
  /** Place from 0 of a fetch within its round, over all fetches; the paper's table calls it depth. */
  readonly meanPosition: number | undefined
  /** Coverage as a mean over rounds, so that each site counts the same; of those with new pages. */
  readonly meanRoundCoverage: number | undefined
  /** Likewise, of rounds that covered any. */
  readonly meanRoundOverhead: number | undefined
}

/** One round: row x of `covers` names the new pages that old page x leads to, directly or by way of others. */
export function discoveryRound(covers: Csr, fetched: Uint32Array): DiscoveryRound {
  const { offsets, targets } = covers
  const covered = new Set<number>()
  for (const page of fetched)
    for (let edge = offsets[page]; edge < offsets[page + 1]; edge++) covered.add(targets[edge])
  return {
    fetched: fetched.length,
    covered: covered.size,
    discoverable: new Set(targets).size,
  }
}

/**
 * Coverage and overhead of rounds over sites and times, pooled: sums are divided, not shares averaged.
 *
 * @paper DasguptaEtAl2007 §2.1 and §5.6 — means over rounds are given beside the pooled numbers.
 */
export function pooledDiscovery(rounds: readonly DiscoveryRound[]): Discovery {
  const sum = (count: (round: DiscoveryRound) => number) =>
    rounds.reduce((total, round) => total + count(round), 0)
  const fetched = sum((round) => round.fetched)
  const covered = sum((round) => round.covered)
  const discoverable = sum((round) => round.discoverable)
  return {
    coverage: quotient(covered, discoverable),
    overhead: quotient(fetched, covered),
    meanCoverSize: quotient(fetched, rounds.length),
    meanPosition: quotient(
      sum((round) => (round.fetched * (round.fetched - 1)) / 2),
      fetched,
    ),
    meanRoundCoverage: meanDefined(rounds, (round) => quotient(round.covered, round.discoverable)),
    meanRoundOverhead: meanDefined(rounds, (round) => quotient(round.fetched, round.covered)),
  }
}

function quotient(part: number, whole: number): number | undefined {
  return whole === 0 ? undefined : part / whole
}

function meanDefined(
  rounds: readonly DiscoveryRound[],
  shareOf: (round: DiscoveryRound) => number | undefined,
): number | undefined {
  const shares = rounds.map(shareOf).filter((share) => share !== undefined)
  return quotient(
    shares.reduce((sum, share) => sum + share, 0),
    shares.length,
  )
}
