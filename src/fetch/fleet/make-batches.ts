import type { FetchRequest } from '#crawl/ports.ts'
import { hostOf } from '#parse/url/canonical-url.ts'
import { registrableDomain } from '#parse/url/registrable-domain.ts'

/** A batch has what its domain can take in so many seconds: the next plan comes sooner, and knows better. */
const HORIZON_SECONDS = 15
const MOST_REQUESTS = 64

/** Requests to one registrable domain, the best first. */
interface DomainRequests {
  readonly domain: string
  readonly requests: readonly FetchRequest[]
}

interface BatchRules {
  /** So many requests in all. */
  readonly sends: number
  /** Seconds between two requests to a host. */
  readonly paceOf: (host: string) => number
  /** Domains that somebody has: they come last, as they must wait. */
  readonly isLeased: (domain: string) => boolean
}

/** The best of a board as batches, the one with the best request first. */
export function makeBatches(
  requests: readonly FetchRequest[],
  { sends, paceOf, isLeased }: BatchRules,
): DomainRequests[] {
  const domains = new Map<string, { requests: FetchRequest[]; most: number }>()
  let left = sends
  const take = (request: FetchRequest, domain: string) => {
    const pace = paceOf(hostOf(request.url))
    const most = pace > 0 ? Math.max(1, Math.ceil(HORIZON_SECONDS / pace)) : MOST_REQUESTS
    const batch = domains.get(domain) ?? { requests: [], most: Math.min(most, MOST_REQUESTS) }
    if (batch.requests.length >= batch.most) return
    domains.set(domain, batch)
    batch.requests.push(request)
    left--
  }
  const leased: [FetchRequest, string][] = []
  for (const request of requests.toSorted((a, b) => b.priority - a.priority || a.id - b.id)) {
    if (left <= 0) break
    const domain = registrableDomain(hostOf(request.url))
    if (isLeased(domain)) leased.push([request, domain])
    else take(request, domain)
  }
  for (const [request, domain] of leased) if (left > 0) take(request, domain)
  return [...domains].map(([domain, batch]) => ({ domain, requests: batch.requests }))
}
