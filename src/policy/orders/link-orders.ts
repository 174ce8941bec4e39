import { harmonicCentrality } from '#importance/harmonic.ts'
import { inDegree } from '#importance/in-degree.ts'
import { linksBetween } from '#importance/links-between.ts'
import { opicCash } from '#importance/opic.ts'
import { pageRank } from '#importance/pagerank.ts'
import { rankMass } from '#importance/rank-mass.ts'
import { transDomainInDegree } from '#importance/trans-domain-in-degree.ts'
import { mixHash } from '#numeric/hash.ts'
import type { Bidder } from '../bidder.ts'
import type { FactName, Facts } from '../facts/facts.ts'
import { acquireCandidates } from './acquire-candidates.ts'

/** What a candidate is worth beside others, and why. */
type Order = readonly [gainOf: (url: number) => number, whyOf: (url: number) => string]

/** A bidder for candidates that puts them in an order, by links alone. */
function linkOrder(
  name: string,
  summary: string,
  needs: readonly FactName[],
  orderBy: (facts: Facts) => Order,
): Bidder {
  return {
    ...{ name, summary, task: 'acquire', unit: 'rank', needs: ['candidates', ...needs] },
    bids: (facts) => acquireCandidates(facts, ...orderBy(facts)),
  }
}

const randomOrder = linkOrder('random', 'in random order', [], ({ seed }) => [
  (url) => mixHash(seed, url) / 0x100000000,
  () => 'sampled at random',
])

export const breadthFirst = linkOrder(
  'bfs',
  'nearest to the seeds first',
  ['depths'],
  ({ depths }) => [(url) => 1 / (1 + depths[url]), (url) => distanceText(depths[url])],
)

function distanceText(depth: number): string {
  if (depth === 0) return 'a seed'
  return depth === 1 ? '1 link away from a seed' : `${depth} links away from a seed`
}

export const byInDegree = linkOrder(
  'indegree',
  'most linking pages first',
  ['links', 'domains'],
  ({ links, domains }) => byLinks(inDegree(links, domains.length), ['page', 'pages']),
)

const byTransDomainInDegree = linkOrder(
  'td-indegree',
  'most linking pages of other domains first',
  ['links', 'domains'],
  ({ links, domains }) =>
    byLinks(transDomainInDegree(links, domains), [
      'page of another domain',
      'pages of other domains',
    ]),
)

/** By how many pages of a kind link to each URL. */
function byLinks(counts: ArrayLike<number>, [one, many]: readonly [string, string]): Order {
  const whyOf = (url: number) => {
    if (counts[url] === 0) return `no ${one} links to it yet`
    return counts[url] === 1 ? `1 ${one} links to it` : `${counts[url]} ${many} link to it`
  }
  return [(url) => counts[url], whyOf]
}

export const byPageRank = linkOrder('pagerank', 'highest PageRank first', ['links'], ({ links }) =>
  timesAverage(pageRank(links), (times) => `PageRank ${times} times the average`),
)

/** By the cash that visited pages passed to them. */
const byOpic = linkOrder(
  'opic',
  'most cash from visited pages first',
  ['links', 'visits', 'domains'],
  ({ links, visits, domains }) =>
    timesAverage(
      opicCash(links, visits, domains.length).cash,
      (times) => `holds ${times} times the average cash`,
    ),
)

/** By the mass that is sure to reach them from the seeds, which are trusted. */
const byRankMass = linkOrder(
  'rankmass',
  'most surely reached from the seeds first',
  ['links', 'depths'],
  ({ links, depths }) =>
    timesAverage(rankMass(links, seedsAmong(depths)), (times, mass) =>
      mass === 0
        ? 'no known way leads to it from a seed'
        : `mass from the seeds ${times} times an even share`,
    ),
)

function seedsAmong(depths: Uint16Array): Uint32Array {
  return Uint32Array.from(depths.keys()).filter((url) => depths[url] === 0)
}

/** By shares of a whole, in multiples of the average URL's. */
function timesAverage(
  shares: Float64Array,
  whyOf: (times: string, share: number) => string,
): Order {
  const times = (url: number) => shares[url] * shares.length
  return [times, (url) => whyOf(times(url).toPrecision(2), shares[url])]
}

/**
 * By how near their host is to all others: 1 for itself, and its harmonic centrality among hosts. URLs of one host are
 * told apart by PageRank, which has fewer ties than in-degree has; on a web of one host the policy is PageRank.
 */
const byHostHarmonic = linkOrder(
  'host-harmonic',
  'hosts nearest to all others first, their best pages by PageRank first',
  ['links', 'hosts'],
  ({ links, hosts, seed }) => {
    const centrality = harmonicCentrality(linksBetween(links, hosts), { seed })
    const placeInHost = placesByPageRank(pageRank(links))
    return [
      // Centrality in single precision leaves the last 29 bits of a gain to the PageRank.
      (url) => Math.fround(1 + centrality[hosts[url]]) * (1 + placeInHost(url) * 2 ** -24),
      (url) => `its host has harmonic centrality ${centrality[hosts[url]].toPrecision(3)}`,
    ]
  },
)

/** From 0 for the lowest rank to just under 1 for the highest, by the logarithm. */
function placesByPageRank(ranks: Float64Array): (url: number) => number {
  let lowest = Number.POSITIVE_INFINITY
  let highest = 0
  for (let url = 0; url < ranks.length; url++) {
    lowest = Math.min(lowest, ranks[url])
    highest = Math.max(highest, ranks[url])
  }
  const span = Math.log(highest / lowest)
  return (url) => (span > 0 ? (0.999 * Math.log(ranks[url] / lowest)) / span : 0)
}

/** New pages by links alone: what the others are measured against. */
export const LINK_ORDERS: readonly Bidder[] = [
  randomOrder,
  breadthFirst,
  byInDegree,
  byTransDomainInDegree,
  byPageRank,
  byOpic,
  byRankMass,
  byHostHarmonic,
]
