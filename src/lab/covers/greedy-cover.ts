import { BoundHeap } from '#numeric/bound-heap.ts'
import { boundOf } from '#numeric/bound-of.ts'
import { type Csr, rowCount } from '#numeric/csr.ts'

/** Rows taken one after another, and how many targets each added. Gains never rise. */
interface Cover {
  readonly rows: Uint32Array
  readonly gains: Uint32Array
}

/** When to stop, besides when nothing is left to gain. */
interface CoverLimits {
  /** Rows at most: the budgeted cover. */
  readonly most?: number
  /** Stop once this share of all targets is covered: the partial cover. */
  readonly share?: number
}

/** So that 0.9 of 30 is 27, whatever rounding says. */
const ROUNDING = 1e-9

/**
 * A small set of rows that covers many targets: always the row that adds most, of equals the first.
 * Gains only ever fall, so a row is counted anew only when it comes to the top of the heap.
 *
 * @paper DasguptaEtAl2007 §2.2 — stops at |C| < k, where the printed guard |C| ≤ k takes one more.
 */
export function greedyCover(covers: Csr, limits: CoverLimits = {}): Cover {
  const { most = Number.POSITIVE_INFINITY, share = 1 } = limits
  const isCovered = new Uint8Array(boundOf(covers.targets))
  const wanted = share * distinctCount(covers) - ROUNDING
  const degrees = Float64Array.from(
    { length: rowCount(covers) },
    (_, row) => covers.offsets[row + 1] - covers.offsets[row],
  )
  const heap = new BoundHeap(degrees)
  const rows: number[] = []
  const gains: number[] = []
  let covered = 0
  while (rows.length < most && covered < wanted && heap.bound > 0) {
    const row = heap.top
    const gain = uncovered(covers, row, isCovered)
    if (gain < heap.bound) {
      heap.lower(gain)
      continue
    }
    const end = covers.offsets[row + 1]
    for (let edge = covers.offsets[row]; edge < end; edge++) isCovered[covers.targets[edge]] = 1
    rows.push(row)
    gains.push(gain)
    covered += gain
    heap.lower(0)
  }
  return { rows: Uint32Array.from(rows), gains: Uint32Array.from(gains) }
}

/**
 * The gains of several covers as one list, best first: covers of disjoint sites, interleaved greedily.
 *
 * @paper DasguptaEtAl2007 §4.4
 */
export function interleavedGains(
  covers: readonly { readonly gains: ArrayLike<number> }[],
): Uint32Array {
  // Gains of one cover never rise, so sorting all of them keeps each cover's order.
  return Uint32Array.from(covers.flatMap(({ gains }) => Array.from(gains)))
    .sort()
    .reverse()
}

/** How many of the first gains are needed to cover a share of `all`, and what they cover. */
export function partialCover(
  gains: ArrayLike<number>,
  share: number,
  all: number,
): { size: number; covered: number } {
  let covered = 0
  let size = 0
  for (; size < gains.length && covered < share * all - ROUNDING; size++) covered += gains[size]
  return { size, covered }
}

/** How many different targets there are. */
export function distinctCount({ targets }: Csr): number {
  const isThere = new Uint8Array(boundOf(targets))
  let count = 0
  for (let edge = 0; edge < targets.length; edge++) {
    count += 1 - isThere[targets[edge]]
    isThere[targets[edge]] = 1
  }
  return count
}

function uncovered({ offsets, targets }: Csr, row: number, isCovered: Uint8Array): number {
  const end = offsets[row + 1]
  let count = 0
  for (let edge = offsets[row]; edge < end; edge++) count += 1 - isCovered[targets[edge]]
  return count
}
