import type { Frontier } from '#frontier/frontier.ts'
import { type FetchQuota, QuotaState, quotaLeft } from '#policy/budget/quota.ts'
import { type HostLimitsOf, hostLimit } from './host-limits.ts'
import { EMPTY_BOARD, type Fetcher } from './ports.ts'

/** Caps on the whole crawl. */
export interface PageCaps {
  readonly maxPagesPerHost?: number
  readonly maxPagesPerDomain?: number
  /** Of single hosts, in place of the first. */
  readonly hostLimitsOf?: HostLimitsOf
}

/** Caps on the whole crawl, and the throttle on traps, are for new pages: a copy counts already. */
export function isCopy(frontier: Frontier): (url: number) => boolean {
  return (url) => frontier.lastVisitOf(url) > 0
}

/** What caps leave beside the pages fetched and under way. */
export function pageCaps(
  frontier: Frontier,
  { maxPagesPerHost, maxPagesPerDomain, hostLimitsOf }: PageCaps,
  underWay: readonly number[],
): FetchQuota[] {
  const { urls } = frontier
  const { byHost, byDomain } = frontier.visited()
  const isExempt = isCopy(frontier)
  const left = (quota: FetchQuota) => quotaLeft({ ...quota, isExempt }, underWay)
  const caps: FetchQuota[] = []
  const byHosts = { groups: urls.hosts(), before: byHost }
  const byDomains = { name: 'maxPagesPerDomain', groups: urls.domains(), before: byDomain } as const
  const perHost = hostLimit('maxPages', frontier, hostLimitsOf, maxPagesPerHost)
  const name = typeof perHost === 'number' ? 'maxPagesPerHost' : 'maxPages'
  if (perHost !== undefined) caps.push(left({ name, ...byHosts, most: perHost }))
  if (maxPagesPerDomain !== undefined) caps.push(left({ ...byDomains, most: maxPagesPerDomain }))
  return caps
}

/**
 * What of a plan caps leave room for when it is posted: while it was made, others of the board before were sent. Where
 * there are caps, nothing more of that board is sent from now on.
 */
export async function withinCaps<T extends { readonly url: number }>(
  plan: readonly T[],
  frontier: Frontier,
  caps: PageCaps,
  fetcher: Fetcher,
): Promise<readonly T[]> {
  if (pageCaps(frontier, caps, []).length === 0) return plan
  await endSending(fetcher)
  const inFlight = fetcher.inFlight()
  const isSent = new Set(inFlight)
  const quotaState = new QuotaState({ quotas: pageCaps(frontier, caps, inFlight) })
  return plan.filter(({ url }) => !isSent.has(url) && quotaState.take(url))
}

/** From now on nothing is sent. What is under way by then is to be paid for. */
export async function endSending(fetcher: Fetcher): Promise<void> {
  fetcher.post(EMPTY_BOARD)
  await fetcher.inForce?.()
}
