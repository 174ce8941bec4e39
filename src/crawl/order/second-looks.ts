import { LazyOrder } from '#numeric/lazy-order.ts'
import type { Purpose } from '#policy/bids.ts'
import { QuotaState } from '#policy/budget/quota.ts'
import type { FetchLimits, PlannedFetch } from '#policy/budget/scheduler.ts'
import { tieBreak } from '#policy/budget/ties.ts'
import type { NotedFetch } from '#policy/planning/plan.ts'

/** What second looks get of a budget that others could use too: pages seldom come back. */
const SHARE = 0.005

/** A fetch that is made whatever is bid for it. Something may be: that counts then, but it was not left to chance. */
export function fetchAnyway(
  url: number,
  purpose: Purpose,
  why: () => string,
  bid?: NotedFetch,
): NotedFetch {
  const parts = { acquire: 0, refresh: 0, discover: 0 }
  const unbid: NotedFetch = { url, gain: 0, expected: 0, parts, purpose, why }
  const { probability: _, ...wanted } = bid ?? unbid
  return { ...wanted, why }
}

/** URLs where no page was, and what tells which to look at first. */
export interface SecondLooks {
  /** Ascending. */
  readonly urls: Uint32Array
  /** Pages that link to a URL: where nobody leads, nobody misses anything. */
  readonly linksTo: (url: number) => number
  /** Somebody named them, as seeds: they come before all others, as a password may be right by now. */
  readonly isNamed?: (url: number) => boolean
  readonly why: (url: number) => string
}

/**
 * Fetches of a budget that are kept for second looks, after so many were spent: every so many fetches of a crawl
 * one, however few it plans at once, and one for each that somebody named. Others get half of any budget at least.
 */
export function keptForSecondLooks(
  { urls, isNamed = () => false }: SecondLooks,
  budget: number,
  spent: number,
): number {
  const due = Math.floor(SHARE * (spent + budget)) - Math.floor(SHARE * spent)
  return Math.min(urls.length, Math.max(due, urls.filter(isNamed).length), Math.floor(budget / 2))
}

/** A plan, and behind it as many second looks as its limits leave room for, those most linked to first. */
export function withSecondLooks(
  plan: readonly PlannedFetch[],
  { urls, linksTo, isNamed = () => false, why }: SecondLooks,
  limits: FetchLimits,
): readonly PlannedFetch[] {
  let left = limits.budget - plan.length
  if (urls.length === 0 || left <= 0) return plan
  const quotaState = new QuotaState(limits)
  for (const { url } of plan) quotaState.take(url)
  const looks: PlannedFetch[] = []
  const links = new Float64Array(urls.length)
  for (let i = 0; i < urls.length; i++)
    links[i] = isNamed(urls[i]) ? Number.POSITIVE_INFINITY : linksTo(urls[i])
  const order = new LazyOrder(links, tieBreak(urls, limits))
  while (left > 0 && order.left > 0) {
    const url = urls[order.next()!]
    if (!quotaState.take(url)) continue
    left--
    looks.push(fetchAnyway(url, 'acquire', () => why(url)))
  }
  return [...plan, ...looks]
}
