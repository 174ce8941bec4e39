import { inDegree } from '#importance/in-degree.ts'
import { linksBetween } from '#importance/links-between.ts'
import { boundOf } from '#numeric/bound-of.ts'
import type { Csr } from '#numeric/csr.ts'

// Scores and limits are indexed by domain. A limit is a whole number of pages and at least 1: with
// the small scales that small archives need, no domain is to be shut out.

/** How many other domains link to each domain. */
export function linkingDomains(links: Csr, domains: Uint32Array): Uint32Array {
  return inDegree(linksBetween(links, domains))
}

/** How many URLs of each domain are marked with a 1. */
export function markedUrls(domains: Uint32Array, marks: Uint8Array): Uint32Array {
  const counts = new Uint32Array(boundOf(domains))
  for (let url = 0; url < domains.length; url++) counts[domains[url]] += marks[url]
  return counts
}

/**
 * Each domain may have pages in proportion to its score.
 *
 * @paper FetterlyCraswellVinay2009 §3.3 — rounded down, but never below one page.
 */
export function limitsByScore(scores: Uint32Array, scale: number): Float64Array {
  return Float64Array.from(scores, (score) => wholePages(scale * score))
}

/** How many domains get more than the rest, and from what to what their limits fall. */
const RAMP = { domains: 10_000, first: 10_000, last: 10 }

/**
 * The domains with the best scores may have many pages, falling evenly with their rank; all others
 * the same few. Domains with equal scores share the best of their ranks.
 *
 * @paper FetterlyCraswellVinay2009 §3.3 — IRLbot's ramp, rounded down, but never below one page.
 */
export function limitsByRank(scores: Uint32Array, scale: number): Float64Array {
  const descending = scores.slice().sort().reverse()
  const rankOf = new Map<number, number>()
  descending.forEach((score, i) => {
    if (!rankOf.has(score)) rankOf.set(score, i + 1)
  })
  return Float64Array.from(scores, (score) =>
    wholePages(scale * rampAt(rankOf.get(score) as number)),
  )
}

/** 0.29 times 100 is meant to be 29, though in floating point it is a little less. */
function wholePages(limit: number): number {
  return Math.max(1, Math.floor(limit + 1e-9))
}

function rampAt(rank: number): number {
  const { domains, first, last } = RAMP
  if (rank > domains) return last
  return last + ((first - last) * (domains - rank)) / (domains - 1)
}

/**
 * Of the best `size` URLs of an order, those within their domain's limit. With refill, places thus
 * freed go to URLs further down the order.
 *
 * @paper FetterlyCraswellVinay2009 §3.3 — the refill is ours.
 */
export function withinLimits(
  order: Uint32Array,
  size: number,
  { domains, limitOf, refill }: DomainLimits,
): Uint32Array {
  const end = refill ? order.length : Math.min(size, order.length)
  const kept = new Uint32Array(Math.min(size, order.length))
  const taken = new Map<number, number>()
  let count = 0
  for (let place = 0; place < end && count < kept.length; place++) {
    const domain = domains[order[place]]
    const before = taken.get(domain) ?? 0
    if (before >= limitOf(domain)) continue
    taken.set(domain, before + 1)
    kept[count++] = order[place]
  }
  return kept.slice(0, count)
}

/** How many pages each domain may have. */
interface DomainLimits {
  /** Domain of each URL. */
  readonly domains: Uint32Array
  readonly limitOf: (domain: number) => number
  readonly refill: boolean
}
