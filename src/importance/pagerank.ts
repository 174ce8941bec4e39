import type { Csr } from '#numeric/csr.ts'
import { type LinkFlow, linkFlow } from './link-flow.ts'

interface PageRankOptions {
  /** Share of steps that follow a link; 0.85 unless given. */
  readonly damping?: number
  readonly maxRounds?: number
  /** Stop once a round moves no more mass than this. */
  readonly tolerance?: number
  /** `linkFlow(links)`, if the caller has it already. */
  readonly flow?: LinkFlow
  /** Called after each round with the mass that moved in it. */
  readonly onRound?: (movedMass: number) => void
}

/**
 * Share of a random surfer's time spent on each URL; sums to 1.
 *
 * @paper BrinPage1998 — normalised here, and dangling mass is spread evenly.
 */
export function pageRank(links: Csr, options: PageRankOptions = {}): Float64Array {
  const { damping = 0.85, maxRounds = 50, tolerance = 1e-9, onRound } = options
  const flow = options.flow ?? linkFlow(links)
  const { urlCount } = flow
  const ranks = new Float64Array(urlCount).fill(1 / urlCount)
  const received = new Float64Array(urlCount)
  // Read at random once a link, hence single precision: half the memory, and 7 digits are plenty.
  const shares = new Float32Array(flow.linkers.length)
  let lastMoved = Infinity
  for (let round = 0; round < maxRounds && urlCount > 0; round++) {
    splitRanks(flow, ranks, damping, shares)
    const arrived = pullAlongLinks(flow.inLinks, shares, received)
    // Mass that did not come by a link, from jumps and from pages without links, is spread
    // evenly.
    const moved = settleRanks(received, (1 - arrived) / urlCount, ranks)
    onRound?.(moved)
    // Exact arithmetic would shrink `moved` by the damping or more; if not, only rounding still moves.
    if (moved <= tolerance || moved >= lastMoved) break
    lastMoved = moved
  }
  return ranks
}

/** Fills `shares` with what each linking page gives along each of its links. */
function splitRanks(
  flow: LinkFlow,
  ranks: Float64Array,
  damping: number,
  shares: Float32Array,
): void {
  const { linkers, outDegrees } = flow
  for (let linker = 0; linker < linkers.length; linker++) {
    shares[linker] = (damping * ranks[linkers[linker]]) / outDegrees[linker]
  }
}

/** Fills `received` with the mass that links bring to each URL; gives its sum. */
function pullAlongLinks(inLinks: Csr, shares: Float32Array, received: Float64Array): number {
  const { offsets, targets: linkers } = inLinks
  let arrived = 0
  let edge = 0
  for (let url = 0; url < received.length; url++) {
    const end = offsets[url + 1]
    let sum = 0
    for (; edge < end; edge++) sum += shares[linkers[edge]]
    received[url] = sum
    arrived += sum
  }
  return arrived
}

/** Sets `ranks` to what was received plus an even share; gives the mass that moved. */
function settleRanks(received: Float64Array, gift: number, ranks: Float64Array): number {
  let moved = 0
  for (let url = 0; url < ranks.length; url++) {
    const rank = received[url] + gift
    moved += Math.abs(rank - ranks[url])
    ranks[url] = rank
  }
  return moved
}
