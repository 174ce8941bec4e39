import type { Frontier } from '#frontier/frontier.ts'
import type { Bids } from '#policy/bids.ts'
import { addedBids } from '#policy/budget/added-bids.ts'
import { correctedBids, correctedLinks, overHorizon } from '#policy/budget/one-currency.ts'
import type { FetchQuota } from '#policy/budget/quota.ts'
import { finderClassOf, foundLinks } from '#policy/discover/links-worth.ts'
import type { BudgetPlanner } from '#policy/planning/budget-planner.ts'
import type { PlanMaterial } from '../plan-cycle.ts'

/** What goes before what, whatever is bid. */
export const LEVELS = { secondLook: 0, bid: 1, list: 2, seed: 3, asked: 4 } as const

/** Quotas that a plan keeps to, at most. */
const MOST_QUOTAS = 6

/**
 * All that may be fetched of a bucket, and what is known of each, in columns: bids can be made from them and compared with
 * those of others without anything else that the bucket knows.
 */
export interface Draft {
  readonly urls: Uint32Array
  readonly level: Uint32Array
  /** A new page's worth, corrected and over the horizon; or a place in an order, where bids are that. */
  readonly acquire: Float64Array
  /** A copy's, and so many prices at least. */
  readonly refresh: Float64Array
  readonly leastPrices: Float64Array
  /** Links that it is expected to show, for how many days, and the class of pages it is of. */
  readonly links: Float64Array
  readonly days: Float64Array
  readonly finder: Uint32Array
  /** Bids that make no price: for copies that must not grow older. */
  readonly other: Float64Array
  /** Quality expected at once, and what was predicted before corrections; NaN where nothing was. */
  readonly expected: Float64Array
  readonly thoughtAcquire: Float64Array
  readonly thoughtRefresh: Float64Array
  readonly thoughtLinks: Float64Array
  readonly views: Float64Array
  /** By quota: the group of each, plus 1 (0 where it is exempt), and the room that the group has. */
  readonly groups: readonly Uint32Array[]
  readonly rooms: readonly Float64Array[]
}

/** What links have been worth, as `linksWorth` goes by it; undefined where all are worth the same. */
export interface FoundColumns {
  readonly finderClasses: Int32Array
  readonly values: Float64Array
}

interface DraftedBucket {
  readonly draft: Draft
  readonly found: FoundColumns | undefined
  /** Bids are in one currency, so that there is a price of content. */
  readonly isPriced: boolean
}

/** Makes the draft of a bucket. Fixed shares and renderings are for crawls of one bucket. */
export function draftBucket(
  planner: BudgetPlanner,
  { request, quotas, asked, seeds, lists, looks }: PlanMaterial,
  frontier: Frontier,
): DraftedBucket {
  const limits = { budget: request.budget ?? 0, quotas }
  const { offers, acquire, views } = planner.draft({ ...request, limits })
  const { corrections } = planner.learnt
  const newPages = offers ? overHorizon(correctedBids(corrections, 'acquire', acquire)) : acquire
  const copies = offers && correctedBids(corrections, 'refresh', offers.refresh)
  const links = offers && correctedLinks(corrections, offers.discover)
  const firsts = [...looks.urls, ...lists, ...seeds, ...asked]
  const { urls, placeOf } = placesOf(
    [...request.otherBids, newPages, copies, links].filter((bids) => bids !== undefined),
    firsts,
    frontier.size,
  )
  const size = urls.length
  const column = (value = 0) => new Float64Array(size).fill(value)
  const draft = {
    urls,
    ...{ level: new Uint32Array(size).fill(LEVELS.bid), acquire: column(), refresh: column() },
    ...{ leastPrices: column(), links: column(), days: column(), finder: new Uint32Array(size) },
    ...{ other: column(), expected: column(), views: column() },
    ...{ thoughtAcquire: column(Number.NaN), thoughtRefresh: column(Number.NaN) },
    thoughtLinks: column(Number.NaN),
    ...quotaColumns(urls, quotas),
  }
  const put = ({ urls }: Bids, note: (place: number, i: number) => void) => {
    for (let i = 0; i < urls.length; i++) note(placeOf[urls[i]] - 1, i)
  }
  put(newPages, (place, i) => {
    draft.acquire[place] = newPages.gains[i]
    draft.expected[place] += newPages.expected?.[i] ?? newPages.gains[i]
  })
  if (offers && copies && links) {
    const { discover } = offers
    const note = (column: Float64Array, { gains, expected = gains }: Bids) => {
      return (place: number, i: number) => {
        column[place] = expected[i]
      }
    }
    put(acquire, note(draft.thoughtAcquire, acquire))
    put(offers.refresh, note(draft.thoughtRefresh, offers.refresh))
    put(copies, (place, i) => {
      draft.refresh[place] = copies.gains[i]
      draft.leastPrices[place] = copies.leastPrices?.[i] ?? 0
      draft.expected[place] += (copies.expected ?? copies.gains)[i]
    })
    const classes = frontier.classes.all()
    put(links, (place, i) => {
      draft.links[place] = links.reveals?.links[i] ?? 0
      draft.days[place] = links.reveals?.days[i] ?? 0
      draft.finder[place] = finderClassOf(links.urls[i], classes, frontier)
      draft.thoughtLinks[place] = discover.reveals?.links[i] ?? Number.NaN
    })
    for (const [url, seen] of views?.byUrl ?? [])
      if (url < placeOf.length && placeOf[url] > 0) draft.views[placeOf[url] - 1] = seen
  }
  for (const bids of request.otherBids)
    put(bids, (place, i) => {
      draft.other[place] += bids.gains[i]
    })
  const raise = (url: number, level: number) => {
    draft.level[placeOf[url] - 1] = level
  }
  for (const url of looks.urls) {
    raise(url, LEVELS.secondLook)
    draft.acquire[placeOf[url] - 1] = looks.linksTo(url)
  }
  for (const url of lists) raise(url, LEVELS.list)
  for (const url of seeds) raise(url, LEVELS.seed)
  for (const url of asked) raise(url, LEVELS.asked)
  return {
    draft,
    found: planner.isInQuality.acquire && links ? foundLinks(planner.learnt, acquire) : undefined,
    isPriced: offers !== undefined,
  }
}

/** All URLs that anybody bids for or that come first, and where each of them is. */
function placesOf(allBids: readonly Bids[], firsts: readonly number[], urlCount: number) {
  const placeOf = new Uint32Array(urlCount) // by URL: its place plus 1
  const bid = allBids.length > 0 ? addedBids(allBids).urls : new Uint32Array(0)
  for (const url of bid) placeOf[url] = 1
  for (const url of firsts) placeOf[url] = 1
  let size = 0
  for (let url = 0; url < urlCount; url++) if (placeOf[url] > 0) placeOf[url] = ++size
  const urls = new Uint32Array(size)
  for (let url = 0; url < urlCount; url++) if (placeOf[url] > 0) urls[placeOf[url] - 1] = url
  return { urls, placeOf }
}

function quotaColumns(
  urls: Uint32Array,
  quotas: readonly FetchQuota[],
): Pick<Draft, 'groups' | 'rooms'> {
  if (quotas.length > MOST_QUOTAS) throw new Error(`${quotas.length} quotas are too many`)
  const groups = quotas.map(({ groups, isExempt }) =>
    urls.map((url) => (isExempt?.(url) ? 0 : groups[url] + 1)),
  )
  const rooms = quotas.map(({ groups, most, before = [] }) =>
    Float64Array.from(urls, (url) => {
      const group = groups[url]
      const cap = typeof most === 'number' ? most : most[group]
      return cap - (before[group] ?? 0)
    }),
  )
  return { groups, rooms }
}
