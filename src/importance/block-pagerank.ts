import type { Csr } from '#numeric/csr.ts'
import { linkFlow } from './link-flow.ts'

const DAMPING = 0.85
/** Sweeps over a block before its neighbours hear of it: more gain little while theirs are old. */
const SWEEPS = 3

/** A part of a web: its links, and what is known of the rest. */
interface RankBlock {
  /** Of the pages of the block; some lead out of it. */
  readonly links: Csr
  readonly isForeign: (url: number) => boolean
  /** By URL: its rank as far as it was worked out before, where the average URL has 1; it is left as it is. */
  readonly ranks: Float64Array
  /** By URL: the mass that links from elsewhere bring. */
  readonly inflow: Float64Array
  /** URLs of other parts, and the mass of those that have no links. */
  readonly elsewhere: { readonly urls: number; readonly dangling: number }
  readonly sweeps?: number
}

/** What was worked out for a block. */
export interface RankedBlock {
  readonly ranks: Float64Array
  /** The mass of its URLs without links. */
  readonly dangling: number
  /** By foreign URL: the mass that links of the block bring; 0 for all others. */
  readonly outflow: Float64Array
}

/**
 * PageRank of a part of the web, while what comes from elsewhere stays as it was last told. Told back and forth, the ranks
 * of all parts come to those of the whole, as each sweep draws them nearer by the damping at least.
 *
 * @paper BrinPage1998 — in blocks, in multiples of the average; dangling mass is spread evenly.
 */
export function blockPageRank(block: RankBlock): RankedBlock {
  const { isForeign, inflow, elsewhere, sweeps = SWEEPS } = block
  const size = block.ranks.length
  const foreign = new Uint8Array(size)
  let urlCount = elsewhere.urls
  for (let url = 0; url < size; url++) {
    foreign[url] = isForeign(url) ? 1 : 0
    urlCount += 1 - foreign[url]
  }
  const flow = linkFlow(ownRows(block.links, foreign))
  const { linkers, outDegrees, inLinks } = flow
  const ranks = block.ranks.slice()
  const hasLinks = new Uint8Array(size)
  for (const url of linkers) hasLinks[url] = 1
  const shares = new Float64Array(linkers.length)
  const received = new Float64Array(size)
  const pull = () => {
    for (let i = 0; i < linkers.length; i++)
      shares[i] = (DAMPING * ranks[linkers[i]]) / outDegrees[i]
    for (let url = 0, edge = 0; url < size; url++) {
      let sum = 0
      for (const end = inLinks.offsets[url + 1]; edge < end; edge++)
        sum += shares[inLinks.targets[edge]]
      received[url] = sum
    }
  }
  const ownDangling = () => {
    let sum = 0
    for (let url = 0; url < size; url++) if (!foreign[url] && !hasLinks[url]) sum += ranks[url]
    return sum
  }
  for (let sweep = 0; sweep < sweeps; sweep++) {
    pull()
    const gift = 1 - DAMPING + (DAMPING * (elsewhere.dangling + ownDangling())) / urlCount
    for (let url = 0; url < size; url++)
      ranks[url] = foreign[url] ? 0 : gift + inflow[url] + received[url]
  }
  pull()
  const outflow = received.map((mass, url) => (foreign[url] ? mass : 0))
  return { ranks, dangling: ownDangling(), outflow }
}

/** The links of pages of the block alone. */
function ownRows({ offsets, targets }: Csr, foreign: Uint8Array): Csr {
  const own = new Uint32Array(targets.length)
  const ownOffsets = new Uint32Array(offsets.length)
  let edges = 0
  for (let url = 0; url < foreign.length; url++) {
    if (!foreign[url])
      for (let edge = offsets[url]; edge < offsets[url + 1]; edge++) own[edges++] = targets[edge]
    ownOffsets[url + 1] = edges
  }
  return { offsets: ownOffsets, targets: own.subarray(0, edges) }
}
