import { type LinkFlow, linkFlow } from '#importance/link-flow.ts'
import { boundOf } from '#numeric/bound-of.ts'
import type { Csr } from '#numeric/csr.ts'
import type { AcquisitionFacts } from '../../facts/acquisition-facts.ts'

/** So many pages of average worth are added to every mean: few pages prove little. */
const SHRINKAGE = 2

/** How a URL lies among others; worked out once, whatever worth is asked about. */
export interface Neighbourhood {
  readonly facts: AcquisitionFacts
  readonly flow: LinkFlow
  /** 1 for each URL that was fetched, whatever came of it. */
  readonly isFetched: Uint8Array
  readonly fetchedCount: number
}

/** The neighbourhood of every URL; `flow` is that of the links, if the caller has it already. */
export function neighbourhood(
  facts: AcquisitionFacts,
  flow: LinkFlow = linkFlow(facts.links),
): Neighbourhood {
  const isFetched = new Uint8Array(facts.domains.length)
  for (const url of facts.visits) isFetched[url] = 1
  return { facts, flow, isFetched, fetchedCount: facts.visits.length }
}

export const NEIGHBOUR_NAMES = [
  'siblings',
  'best siblings',
  'section',
  'host',
  'linking pages',
] as const

/**
 * What fetched neighbours of URLs are worth, in multiples of the mean fetched page; a row a URL named, a
 * column a kind of neighbour. A URL's own worth never counts, so what is learnt from fetched pages
 * holds for others. Siblings are what the same pages link to; in buckets, pages of the same domain, as what else those
 * link to nobody knows there. `mean` is what a fetched page is worth, if these are not all.
 */
export function neighbourMeans(
  { facts, flow, isFetched, fetchedCount }: Neighbourhood,
  worths: Float64Array,
  urls: Uint32Array,
  mean = meanOfVisits(facts, worths, fetchedCount),
): Float32Array[] {
  const { links, sections, hosts, visits, domains, whole } = facts
  const { inLinks, linkers } = flow
  const isFamily = whole
    ? (linker: number, url: number) => domains[linkers[linker]] === domains[url]
    : () => true
  // Few digits are added up without a rest, in whatever order.
  const short = whole ? Math.fround : (value: number) => value
  const children = childrenOf(links, linkers, worths, isFetched, isFamily)
  const bySection = groupTotals(sections, worths, visits)
  const byHost = groupTotals(hosts, worths, visits)
  const columns = NEIGHBOUR_NAMES.map(() => new Float32Array(urls.length))
  const [siblings, bestSiblings, section, host, linking] = columns
  for (let i = 0; i < urls.length; i++) {
    const url = urls[i]
    const own = isFetched[url]
    const ownWorth = own === 1 ? worths[url] : 0
    const meanOf = ({ sums, counts }: GroupTotals, group: number) =>
      (sums[group] - ownWorth + SHRINKAGE * mean) / ((counts[group] - own + SHRINKAGE) * mean)
    const start = inLinks.offsets[url]
    const end = inLinks.offsets[url + 1]
    let [siblingSum, best, linkingSum, family] = [0, 0, 0, 0]
    for (let edge = start; edge < end; edge++) {
      const linker = inLinks.targets[edge]
      linkingSum += short(worths[linkers[linker]] / mean)
      if (!isFamily(linker, url)) continue
      family++
      const ofParent = short(meanOf(children, linker))
      siblingSum += ofParent
      if (ofParent > best) best = ofParent
    }
    const parents = end - start
    siblings[i] = family > 0 ? siblingSum / family : Number.NaN
    bestSiblings[i] = family > 0 ? best : Number.NaN
    section[i] = meanOf(bySection, sections[url])
    host[i] = meanOf(byHost, hosts[url])
    linking[i] = parents > 0 ? linkingSum / parents : Number.NaN
  }
  return columns
}

function meanOfVisits(
  { visits }: Pick<AcquisitionFacts, 'visits'>,
  worths: Float64Array,
  fetchedCount: number,
): number {
  let total = 0
  for (const url of visits) total += worths[url]
  return total > 0 ? total / fetchedCount : 1
}

interface GroupTotals {
  readonly sums: Float64Array
  readonly counts: Uint32Array
}

/** Of the fetched pages that each linker links to. */
function childrenOf(
  { offsets, targets }: Csr,
  linkers: Uint32Array,
  worths: Float64Array,
  isFetched: Uint8Array,
  isFamily: (linker: number, url: number) => boolean,
): GroupTotals {
  const sums = new Float64Array(linkers.length)
  const counts = new Uint32Array(linkers.length)
  for (let linker = 0; linker < linkers.length; linker++) {
    const end = offsets[linkers[linker] + 1]
    for (let edge = offsets[linkers[linker]]; edge < end; edge++) {
      const child = targets[edge]
      if (isFetched[child] === 0 || !isFamily(linker, child)) continue
      sums[linker] += worths[child]
      counts[linker]++
    }
  }
  return { sums, counts }
}

function groupTotals(groups: Uint32Array, worths: Float64Array, visits: Uint32Array): GroupTotals {
  const size = boundOf(groups)
  const totals = { sums: new Float64Array(size), counts: new Uint32Array(size) }
  for (const url of visits) {
    totals.sums[groups[url]] += worths[url]
    totals.counts[groups[url]]++
  }
  return totals
}
