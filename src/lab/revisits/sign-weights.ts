import { AddressSigns } from '#learn/yields/address-signs.ts'
import { firstShares, type SignWeights } from '#learn/yields/hub-signs.ts'
import { rowOf } from '#numeric/csr.ts'
import { hash32 } from '#numeric/hash.ts'
import { crawlTreeAt } from './crawl-tree.ts'
import { type DiscoverySite, graphBetween } from './discovery-site.ts'
import { pageSigns } from './page-signs.ts'

/** New pages of one snapshot that the same old pages lead to. */
export interface SignEvidence {
  /** How much they count; those of a site add up to 1. */
  readonly weight: number
  /** By sign: the share of it that the pages which lead there have. */
  readonly shares: readonly number[]
}

const SIGNS = ['any', 'inLinks', 'children', 'below', 'isLast'] as const
const NONE: SignWeights = { any: 0, inLinks: 0, children: 0, below: 0, isLast: 0 }
const ROUNDS = 300
/**
 * Beside the sites that were seen there is one for which every sign does as well: what a single site needs would be
 * left out otherwise when that site is judged. (With julialang left out links to a page counted for 0.004, and its new
 * pages waited 1.24 times as long as by the mixture.)
 */
const UNSEEN_SITES = 1

/**
 * What the new pages of a site say about signs. Those of one snapshot together count as the root of their number: a
 * burst says little more than one page.
 */
export function signEvidence(site: DiscoverySite): SignEvidence[] {
  const all: SignEvidence[] = []
  for (let snapshot = 1; snapshot < site.snapshots; snapshot++) {
    const { oldPages, newPages, covers } = graphBetween(site, snapshot - 1, snapshot)
    if (newPages.length === 0) continue
    const bySign = signSharesAt(site, snapshot - 1)
    const leaders: number[][] = Array.from(newPages, () => [])
    for (const [row, page] of oldPages.entries())
      for (const target of rowOf(covers, row)) leaders[target].push(page)
    const alike = Map.groupBy(leaders, (pages) => hash32(pages.join(' ')))
    for (const [pages, ...others] of alike.values())
      all.push({
        weight: (1 + others.length) / Math.sqrt(newPages.length),
        shares: bySign.map((shares) => pages.reduce((sum, page) => sum + shares[page], 0)),
      })
  }
  const sum = all.reduce((total, { weight }) => total + weight, 0)
  return all.map(({ weight, shares }) => ({ weight: weight / sum, shares }))
}

/**
 * The weights of signs by which pages that led to something new were likeliest to be known beforehand; every site
 * counts the same, and so does one that nobody has seen. A mixture of given distributions has one maximum, which
 * expectation-maximisation climbs to.
 */
export function fitSignWeights(sites: readonly (readonly SignEvidence[])[]): SignWeights {
  let weights: number[] = SIGNS.map(() => 1 / SIGNS.length)
  const evidence = sites.flat()
  for (let round = 0; round < ROUNDS; round++) {
    const sums = SIGNS.map(() => UNSEEN_SITES / SIGNS.length)
    for (const { weight, shares } of evidence) {
      const likelihood = shares.reduce((sum, share, i) => sum + weights[i] * share, 0)
      if (likelihood > 0)
        for (let i = 0; i < sums.length; i++)
          sums[i] += (weight * weights[i] * shares[i]) / likelihood
    }
    const all = sums.reduce((total, sum) => total + sum, 0)
    weights = sums.map((sum) => sum / all)
  }
  const [any, inLinks, children, below, isLast] = weights
  return { any, inLinks, children, below, isLast }
}

/** By sign, then by page: the share of it that the page has, for one who holds a whole snapshot. */
function signSharesAt(site: DiscoverySite, snapshot: number): Float64Array[] {
  const live = site.versionsAt[snapshot]
  const pages = Uint32Array.from(live.keys()).filter((page) => live[page] >= 0)
  const inLinks = new Uint32Array(site.pages)
  const addresses = new AddressSigns()
  for (const page of pages) {
    addresses.add(page, site.urlOf(page))
    for (const target of rowOf(site.links, live[page])) inLinks[target]++
  }
  const { children } = crawlTreeAt(site, snapshot)
  const signs = pageSigns(site, pages, { inLinks, children, addresses })
  return SIGNS.map((sign) => {
    const shares = firstShares(signs, { ...NONE, [sign]: 1 })
    const byPage = new Float64Array(site.pages)
    for (const [i, page] of pages.entries()) byPage[page] = shares[i]
    return byPage
  })
}
