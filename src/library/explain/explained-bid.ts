import type { AddedBids, Parts } from '#policy/budget/added-bids.ts'
import { type TieRule, tieBreak } from '#policy/budget/ties.ts'
import type { Plan } from '#policy/planning/plan.ts'
import type { Registry } from '#policy/registry/registry.ts'
import type { OpenCrawl } from '../open/open-crawl.ts'
import type { BoardPlace } from '../plan/board-place.ts'
import type { Settings } from '../settings/settings.ts'
import type { QueryDemand } from './explain-demand.ts'
import type { Hold } from './explain-holds.ts'
import type { ExplainedParts } from './explain-parts.ts'
import type { Prepared } from './prepared.ts'

/** Who asks about which URL, and when. */
export interface Question {
  readonly opened: OpenCrawl
  readonly settings: Settings
  /** Whom the policy may name. */
  readonly registry: Registry
  /** Fetches of a plan. */
  readonly budget: number
  readonly now: number
  readonly url: number
  readonly prepared: Prepared
}

/** What a policy bids for a URL, and where that puts it. */
export interface ExplainedBid {
  readonly gain: number
  /** Among all bids, from 1 on; under fixed shares among those for the same task. */
  readonly place: number
  readonly bids: number
  readonly why: string
  /** Whether the next so many fetches would include it. */
  readonly planned: boolean
  readonly planBudget: number
  /** Where new pages, copies and links are bid for: what the bid is made of, quality × days. */
  readonly parts?: Parts
  /** The quality expected at once. */
  readonly expected?: number
  /** What the last fetch that the budget affords is worth, and whether this one is worth more. */
  readonly price?: number
  readonly isAbovePrice?: boolean
  /** Where it stands on its host, and of how many bids. */
  readonly board?: BoardPlace & { readonly of: number }
}

export interface ExplainedDemand {
  readonly bid: ExplainedBid
  /** Absent if there are no queries, or no index to answer them from. */
  readonly demand?: QueryDemand
  readonly parts?: ExplainedParts
  readonly onHost: ReturnType<typeof placeOnHost>
  readonly holds: readonly Hold[]
}

/** Its place on its host, which alone it has to wait for: in the plan, where some come before any bid, or else among bids. */
export function placeOnHost(
  { urls, gains }: AddedBids,
  url: number,
  hosts: Uint32Array,
  planned: Plan['fetches'],
  ties: TieRule,
): { readonly place: number; readonly of: number } {
  const isOfHost = (other: number) => hosts[other] === hosts[url]
  const inPlan = planned.filter((fetch) => isOfHost(fetch.url)).findIndex((one) => one.url === url)
  const places = Uint32Array.from(urls.keys()).filter((i) => isOfHost(urls[i]))
  const own = {
    urls: places.map((i) => urls[i]),
    gains: Float64Array.from(places, (i) => gains[i]),
  }
  return { place: inPlan >= 0 ? inPlan + 1 : placeOf(own, url, ties), of: places.length }
}

/** The place of a URL's bid when all are taken best first. */
export function placeOf({ urls, gains }: AddedBids, url: number, ties: TieRule): number {
  const place = urls.indexOf(url)
  const own = gains[place]
  const precedes = tieBreak(urls, ties)
  let before = 0
  for (let i = 0; i < urls.length; i++)
    if (gains[i] > own || (gains[i] === own && precedes(i, place))) before++
  return before + 1
}
