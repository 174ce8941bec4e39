import type { AcquisitionFacts } from '#frontier/acquisition-facts.ts'
import { inDegree } from '#importance/in-degree.ts'
import { pageRank } from '#importance/pagerank.ts'
import { transDomainInDegree } from '#importance/trans-domain-in-degree.ts'

/** What is known of each URL without its content and whatever is asked; a column a trait, by URL. */
export interface PageTraits {
  readonly names: readonly string[]
  readonly columns: readonly Float32Array[]
  /** Pages that link to each URL. */
  readonly inDegrees: Uint32Array
  /** In multiples of the average. */
  readonly ranks: Float32Array
}

/** Rounds end once a millionth of all rank still moves: no model looks more closely, and it saves a third of them. */
const RANK_TOLERANCE = 1e-6

/** The traits of all URLs. */
export function pageTraits(facts: AcquisitionFacts): PageTraits {
  const { links, domains, depths, addressLengths } = facts
  const inDegrees = inDegree(links, domains.length)
  const shares = pageRank(links, { tolerance: RANK_TOLERANCE })
  const ranks = new Float32Array(shares.length)
  for (let url = 0; url < ranks.length; url++) ranks[url] = shares[url] * domains.length
  return {
    names: ['in-degree', 'trans-domain in-degree', 'PageRank', 'depth', 'address length'],
    columns: [
      logOf(inDegrees),
      logOf(transDomainInDegree(links, domains)),
      ranks.map(Math.log),
      // What a sitemap told of or nobody linked to lies deeper than any number says.
      new Float32Array(depths.map((depth) => Math.min(depth, 100))),
      new Float32Array(addressLengths),
    ],
    inDegrees,
    ranks,
  }
}

function logOf(counts: Uint32Array): Float32Array {
  const logs = new Float32Array(counts.length)
  for (let url = 0; url < counts.length; url++) logs[url] = Math.log1p(counts[url])
  return logs
}
