import { coverGraph, NEW, OLD, type SiteStep } from '#lab/covers/cover-graph.ts'
import { greedyCover, partialCover } from '#lab/covers/greedy-cover.ts'
import { csrFromEdges } from '#numeric/csr.ts'
import { seededRandom } from '#numeric/random.ts'
import { benchmark } from './harness/benchmark.ts'
import { measure, rounded } from './harness/cost.ts'

export default benchmark({
  about: 'Covers the new pages of a web of old ones: the graph of who leads to whom, then greed',
  flags: { old: 1_000_000, new: 200_000, links: 5_000_000, seed: 7 },
  async run(sizes) {
    const { result: site, cost: draw } = await measure('draw', () => drawSite(sizes))
    const graph = await measure('who leads to whom', () => coverGraph(site))
    const { covers, newPages, oldPages, orphans } = graph.result
    const cover = await measure('greedy cover', () => greedyCover(covers))
    const { rows, gains } = cover.result
    return {
      ...sizes,
      edges: covers.targets.length,
      linkers: oldPages.length,
      orphans,
      cover: rows.length,
      cover90: partialCover(gains, 0.9, newPages.length).size,
      steps: { draw, graph: graph.cost, greedy: cover.cost },
      cpuSeconds: rounded(graph.cost.cpuSeconds + cover.cost.cpuSeconds),
      peakRssMb: cover.cost.peakRssMb,
    }
  },
})

/** Of all new pages, so many are linked from old ones; the others hang on new ones, as in WWW 2007. */
const DIRECT_SHARE = 0.4
/** Links from one new page to another, for each that hangs on one. */
const LINKS_AMONG_NEW = 1.2

/**
 * Old pages come first. A few hubs have most links to new pages, and new pages that are linked much are
 * linked by many; chains among new pages are short, as a page hangs on an earlier one.
 */
function drawSite(sizes: { old: number; new: number; links: number; seed: number }): SiteStep {
  const random = seededRandom(sizes.seed)
  const pages = sizes.old + sizes.new
  const direct = Math.round(sizes.new * DIRECT_SHARE)
  const sources = new Uint32Array(sizes.links)
  const targets = new Uint32Array(sizes.links)
  const among = Math.round((sizes.new - direct) * LINKS_AMONG_NEW)
  const skewed = (below: number) => Math.floor(random.next() ** 3 * below)
  for (let link = 0; link < sizes.links; link++) {
    if (link < among) {
      // Every one that hangs is linked once, and some are again.
      const hanging = direct + (link < sizes.new - direct ? link : random.below(sizes.new - direct))
      sources[link] = sizes.old + Math.floor((hanging * random.next() ** 2) / 2)
      targets[link] = sizes.old + hanging
    } else {
      sources[link] = skewed(sizes.old)
      targets[link] = sizes.old + (link - among < direct ? link - among : skewed(direct))
    }
  }
  const roles = new Uint8Array(pages).fill(OLD, 0, sizes.old).fill(NEW, sizes.old)
  return { links: csrFromEdges(pages, sources, targets), roles }
}
