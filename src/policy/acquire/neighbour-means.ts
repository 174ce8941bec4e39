import type { AcquisitionFacts } from '#frontier/acquisition-facts.ts'
import { type Csr, transpose } from '#numeric/csr.ts'

/** So many pages of average worth are added to every mean: few pages prove little. */
const SHRINKAGE = 2

/** How a URL lies among others; worked out once, whatever worth is asked about. */
export interface Neighbourhood {
  readonly facts: AcquisitionFacts
  readonly inLinks: Csr
  /** 1 for each URL that was fetched, whatever came of it. */
  readonly isFetched: Uint8Array
  readonly fetchedCount: number
}

/** The neighbourhood of every URL. */
export function neighbourhood(facts: AcquisitionFacts): Neighbourhood {
  const isFetched = new Uint8Array(facts.domains.length)
  for (const url of facts.visits) isFetched[url] = 1
  const inLinks = transpose(facts.links, facts.domains.length)
  return { facts, inLinks, isFetched, fetchedCount: facts.visits.length }
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
 * holds for others. Siblings are what the same pages link to.
 */
export function neighbourMeans(
  { facts, inLinks, isFetched, fetchedCount }: Neighbourhood,
  worths: Float64Array,
  urls: Uint32Array,
): Float32Array[] {
  const { links, sections, hosts, visits } = facts
  let total = 0
  for (const url of visits) total += worths[url]
  const mean = total > 0 ? total / fetchedCount : 1
  const children = childrenOf(links, worths, isFetched)
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
    let [siblingSum, best, linkingSum] = [0, 0, 0]
    for (let edge = start; edge < end; edge++) {
      const parent = inLinks.targets[edge]
      const ofParent = meanOf(children, parent)
      siblingSum += ofParent
      if (ofParent > best) best = ofParent
      linkingSum += worths[parent] / mean
    }
    const parents = end - start
    siblings[i] = parents > 0 ? siblingSum / parents : Number.NaN
    bestSiblings[i] = parents > 0 ? best : Number.NaN
    section[i] = meanOf(bySection, sections[url])
    host[i] = meanOf(byHost, hosts[url])
    linking[i] = parents > 0 ? linkingSum / parents : Number.NaN
  }
  return columns
}

interface GroupTotals {
  readonly sums: Float64Array
  readonly counts: Float64Array
}

/** Of the fetched pages each page links to. */
function childrenOf(links: Csr, worths: Float64Array, isFetched: Uint8Array): GroupTotals {
  const { offsets, targets } = links
  const rows = offsets.length - 1
  const totals = { sums: new Float64Array(rows), counts: new Float64Array(rows) }
  for (let row = 0; row < rows; row++)
    for (let edge = offsets[row]; edge < offsets[row + 1]; edge++) {
      const child = targets[edge]
      if (isFetched[child] === 0) continue
      totals.sums[row] += worths[child]
      totals.counts[row]++
    }
  return totals
}

function groupTotals(groups: Uint32Array, worths: Float64Array, visits: Uint32Array): GroupTotals {
  let size = 0
  for (let url = 0; url < groups.length; url++) size = Math.max(size, groups[url] + 1)
  const totals = { sums: new Float64Array(size), counts: new Float64Array(size) }
  for (const url of visits) {
    totals.sums[groups[url]] += worths[url]
    totals.counts[groups[url]]++
  }
  return totals
}
