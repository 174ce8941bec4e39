import type { FetchRequest } from '#crawl/ports.ts'
import { hostOf } from '#parse/url/canonical-url.ts'
import { registrableDomain } from '#parse/url/registrable-domain.ts'

/** A batch has what its domain can take in so many seconds: each costs the database, and the next plan knows better. */
const HORIZON_SECONDS = 120
const MOST_REQUESTS = 64
const SHORT_SECONDS = 30
const FEWEST_REQUESTS = 4
/** A domain that somebody has for longer is left to the next plan. */
const BUSY_SECONDS = 40

/** Requests to one registrable domain, the best first. */
interface DomainRequests {
  readonly domain: string
  readonly requests: readonly FetchRequest[]
}

interface BatchRules {
  /** So many requests in all. */
  readonly sends: number
  /** What is left of the budget. */
  readonly room: number
  /** Seconds between two requests to a host. */
  readonly paceOf: (host: string) => number
  /** Requests to the domain that somebody has and may still send: further ones must wait for these, and come last. */
  readonly leftOf: (domain: string) => number
}

interface Domain {
  readonly name: string
  /** All that the board has of it, the best first. */
  readonly requests: FetchRequest[]
  readonly left: number
}

/** The best of a board as batches, the one with the best request first. */
export function makeBatches(
  requests: readonly FetchRequest[],
  rules: BatchRules,
): DomainRequests[] {
  const { sends, paceOf, leftOf } = rules
  const domains = new Map<string, Domain>()
  const ordered = requests
    .toSorted((a, b) => b.priority - a.priority || a.id - b.id)
    .map((request) => {
      const name = registrableDomain(hostOf(request.url))
      const domain = domains.get(name) ?? { name, requests: [], left: leftOf(name) }
      domains.set(name, domain)
      domain.requests.push(request)
      return { request, domain }
    })
  const paceTo = ({ requests: [first] }: Domain) => paceOf(hostOf(first.url))
  const isFree = (domain: Domain) => domain.left === 0
  const isBusy = (domain: Domain) => domain.left * paceTo(domain) > BUSY_SECONDS
  const open = [...domains.values()].filter((domain) => !isBusy(domain))
  const shareAt = sharesOf(rules, open.length, domains.size)
  const mostOf = new Map(open.map((domain) => [domain, shareAt(paceTo(domain))]))
  const batches = new Map<Domain, FetchRequest[]>()
  let taken = 0
  const take = (request: FetchRequest, domain: Domain) => {
    const batch = batches.get(domain) ?? []
    if (taken >= sends || batch.length >= (mostOf.get(domain) ?? 0)) return
    batches.set(domain, batch)
    batch.push(request)
    taken++
  }
  for (const { request, domain } of ordered) if (isFree(domain)) take(request, domain)
  for (const { request, domain } of ordered) if (!isFree(domain)) take(request, domain)
  return Array.from(batches, ([{ name }, each]) => ({ domain: name, requests: each }))
}

/** So many a domain takes in that time, at its pace; at least one. */
function takenIn(seconds: number, pace: number): number {
  return pace > 0 ? Math.min(MOST_REQUESTS, Math.max(1, Math.ceil(seconds / pace))) : MOST_REQUESTS
}

/**
 * Where there is less to be sent than all could take, each gets some: few domains with long batches would still be at it
 * when all others are done. As the budget ends, batches get shorter: half of a domain's share of what is left, so that
 * later plans know better, or all of it where that takes no longer than half a minute.
 */
function sharesOf({ sends, room }: BatchRules, open: number, all: number) {
  const ofPlan = 2 * Math.ceil(sends / Math.max(1, open))
  const ofBudget = room / Math.max(1, all)
  return (pace: number) => {
    const early = Math.max(takenIn(SHORT_SECONDS, pace), Math.ceil(ofBudget / 2))
    const share = Math.min(ofPlan, early, Math.ceil(ofBudget))
    return Math.min(Math.max(FEWEST_REQUESTS, share), takenIn(HORIZON_SECONDS, pace))
  }
}

/**
 * Those at one address follow the first of them: few workers may be at an address at a time, and who leases one of its
 * domains is to lease the others. Spread over a plan, its first lease would take places everywhere.
 */
export function neighboursTogether<T>(batches: readonly T[], addressOf: (batch: T) => string): T[] {
  const groups = Map.groupBy(batches, (batch) => addressOf(batch) || batch)
  return [...groups.values()].flat()
}
