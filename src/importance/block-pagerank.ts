import type { Csr } from '#numeric/csr.ts'

const DAMPING = 0.85
/** Masses are multiples of 1 / this, so that sums of them are the same in any order, and in any number of parts. */
const GRAINS = 2 ** 32

/** A part of a web: its links, and what is known of the rest. */
interface RankBlock {
  /** Of the pages of the block; some lead out of it. */
  readonly links: Csr
  readonly isForeign: (url: number) => boolean
  /** By URL: its rank as far as it was worked out before, where the average URL has 1; it is left as it is. */
  readonly ranks: Float64Array
  /** By URL: the mass that links from elsewhere bring. */
  readonly inflow: Float64Array
  /** What every URL gets beside links. */
  readonly gift: number
}

/** What was worked out for a block. */
export interface RankedBlock {
  readonly ranks: Float64Array
  /** The mass of its URLs without links. */
  readonly dangling: number
  /** By foreign URL: the mass that links of the block bring; 0 for all others. */
  readonly outflow: Float64Array
}

/** The mass that each of a page's links brings. */
export function linkShare(rank: number, outDegree: number): number {
  return outDegree > 0 ? inGrains((DAMPING * rank) / outDegree) : 0
}

/**
 * What every URL gets beside links, of so many that hold this mass and have no links. It is to be the same in all parts of a
 * web: where one knew it better than others, its URLs would go before theirs.
 */
export function giftOf(urls: number, dangling: number): number {
  return inGrains(1 - DAMPING + DAMPING * (urls > 0 ? dangling / urls : 1))
}

/** A page of another part whose links were told anew: what each brings now, and what it linked to before. */
interface NewsOfLinks {
  readonly page: number
  readonly share: number
  readonly before: readonly number[]
  readonly shareBefore: number
}

/** Moves the mass that links from elsewhere bring to where they lead now. All are whole grains, so that nothing is left behind. */
export function takeFlow(inflow: Float64Array, news: readonly NewsOfLinks[], links: Csr): void {
  const { offsets, targets } = links
  for (const { page, share, before, shareBefore } of news) {
    for (const target of before) inflow[target] -= shareBefore
    for (let link = offsets[page]; link < offsets[page + 1]; link++) inflow[targets[link]] += share
  }
}

function inGrains(mass: number): number {
  return Math.round(mass * GRAINS) / GRAINS
}

/**
 * PageRank of a part of the web, one step on, by what others told of theirs as it was before. So the steps are those of the
 * whole web in one part, to the last bit; each draws ranks nearer by the damping at least.
 *
 * @paper BrinPage1998 — in blocks, in multiples of the average; dangling mass is spread evenly.
 */
export function blockPageRank({ links, isForeign, ...before }: RankBlock): RankedBlock {
  const { inflow, gift } = before
  const size = before.ranks.length
  const foreign = Uint8Array.from(before.ranks, (_, url) => (isForeign(url) ? 1 : 0))
  const ranks = pushed(links, before.ranks, foreign)
  let dangling = 0
  for (let url = 0; url < size; url++) {
    ranks[url] = foreign[url] ? 0 : gift + inflow[url] + ranks[url]
    if (links.offsets[url] === links.offsets[url + 1]) dangling += ranks[url]
  }
  const outflow = pushed(links, ranks, foreign)
  for (let url = 0; url < size; url++) if (!foreign[url]) outflow[url] = 0
  return { ranks, dangling, outflow }
}

/** By URL: what it gets along the links of pages of the block. */
function pushed({ offsets, targets }: Csr, ranks: Float64Array, foreign: Uint8Array): Float64Array {
  const received = new Float64Array(ranks.length)
  for (let url = 0; url < ranks.length; url++) {
    if (foreign[url]) continue
    const end = offsets[url + 1]
    const share = linkShare(ranks[url], end - offsets[url])
    for (let edge = offsets[url]; edge < end; edge++) received[targets[edge]] += share
  }
  return received
}
