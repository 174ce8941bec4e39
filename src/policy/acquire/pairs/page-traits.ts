import { type LinkFlow, linkFlow } from '#importance/link-flow.ts'
import { pageRank } from '#importance/pagerank.ts'
import { transDomainInDegree } from '#importance/trans-domain-in-degree.ts'
import type { Csr } from '#numeric/csr.ts'
import type { AcquisitionFacts } from '../../facts/acquisition-facts.ts'

/** Gives a number for a URL. */
export type UrlFeature = (url: number) => number

/**
 * What is known of each URL without its content and whatever is asked. Traits are worked out when asked for: few
 * URLs of many are looked at, and a column for each trait would be large.
 */
export interface PageTraits {
  readonly names: readonly string[]
  readonly features: readonly UrlFeature[]
  /** How many pages link to a URL. */
  readonly inDegreeOf: UrlFeature
  /** By URL, in multiples of the average. */
  readonly ranks: Float32Array
}

/** What they are called, in their order. */
export const TRAIT_NAMES = [
  'in-degree',
  'trans-domain in-degree',
  'PageRank',
  'depth',
  'address length',
] as const

/** Rounds end once a millionth of all rank still moves: no model looks more closely, and it saves a third of them. */
const RANK_TOLERANCE = 1e-6

/** The traits of all URLs; `flow` is that of the links, if the caller has it already. */
export function pageTraits(
  { links, domains, depths, addressLengths, whole }: AcquisitionFacts,
  flow: LinkFlow = linkFlow(links),
): PageTraits {
  const ranks = whole ? new Float32Array(whole.ranks) : ranksIn(links, domains.length, flow)
  const { offsets } = flow.inLinks
  const inDegreeOf = (url: number) => offsets[url + 1] - offsets[url]
  const transDomain = transDomainInDegree(links, domains)
  const traits: Readonly<Record<(typeof TRAIT_NAMES)[number], UrlFeature>> = {
    'in-degree': (url) => Math.log1p(inDegreeOf(url)),
    'trans-domain in-degree': (url) => Math.log1p(transDomain[url]),
    PageRank: (url) => Math.log(ranks[url]),
    // What a sitemap told of or nobody linked to lies deeper than any number says.
    depth: (url) => Math.min(depths[url], 100),
    'address length': (url) => addressLengths[url],
  }
  const features = TRAIT_NAMES.map((name) => traits[name])
  return { names: TRAIT_NAMES, features, inDegreeOf, ranks }
}

function ranksIn(links: Csr, urlCount: number, flow: LinkFlow): Float32Array {
  const shares = pageRank(links, { tolerance: RANK_TOLERANCE, flow })
  const ranks = new Float32Array(shares.length)
  for (let url = 0; url < ranks.length; url++) ranks[url] = shares[url] * urlCount
  return ranks
}
