import type { Frontier } from '#frontier/frontier.ts'
import { LIST_NAMERS, type ListNamer } from '#frontier/urls/named-lists.ts'
import { NOBODY } from '#frontier/urls/url-states.ts'
import { type FetchQuota, QuotaState } from '#policy/budget/quota.ts'
import type { FetchLimits } from '#policy/budget/scheduler.ts'
import type { NotedFetch, Plan } from '#policy/planning/plan.ts'
import { fetchAnyway } from './second-looks.ts'

/** So many sitemaps and feeds of a site are read before its pages. */
const OPENING_LISTS = 12
/** Until then, so many other URLs of the site may be sent: what it says of itself should come before them. */
export const OTHERS_MEANWHILE = 4
/** So many requests to a site, that for robots.txt among them, make known what it says of itself. */
const KNOWN_WITHIN = 20
/** Later ones come first up to this share of the site's fetches: an index may have no end. */
const LATER_SHARE = 0.2
/** A feed that a single page names is mostly about that page. */
const PAGES_NAMING_A_FEED = 2

const WHY: Readonly<Record<ListNamer, string>> = {
  'robots.txt': 'a sitemap that robots.txt names',
  index: 'a sitemap that an index names',
  pages: 'a feed or sitemap that pages name',
}

/** Which sitemaps and feeds are to be read first. A site is a host, by its number. */
interface NamedFirst {
  /** By site: its lists, in the order in which they are read. */
  readonly lists: ReadonlyMap<number, readonly number[]>
  /** How many other URLs of a site may be sent before these. */
  readonly quota: FirstContactQuota
}

/** By host. */
export interface FirstContactQuota extends FetchQuota {
  readonly most: Float64Array
}

/** One site's lists: how many were fetched or cannot be now, how many are under way, and which wait. */
interface ListsOfSite {
  read: number
  asked: number
  readonly open: number[]
}

/**
 * The sitemaps and feeds that sites name and nobody has read. They come first on their sites, index files before
 * what these list. While a site's first lists are unread, or it was never contacted, few others of it are sent.
 */
export function namedFirst(
  frontier: Frontier,
  now: number,
  underWay: ReadonlySet<number> = new Set(),
  isFree: (url: number) => boolean = () => true,
): NamedFirst {
  const { named, urls } = frontier
  const { byHost } = frontier.visited()
  const most = new Float64Array(urls.hostCount).fill(OTHERS_MEANWHILE)
  byHost.forEach((fetches, host) => {
    if (fetches > 0) most[host] = Number.POSITIVE_INFINITY
  })
  const lists = new Map<number, readonly number[]>()
  for (const [site, { read, asked, open }] of listsOfSites(frontier, now, underWay, isFree)) {
    const isOpening = read < OPENING_LISTS
    const later = isOpening ? 0 : Math.floor(LATER_SHARE * (byHost[site] ?? 0))
    const first = isOpening ? open : open.filter((url) => named.namerOf(url) !== 'pages')
    const room = Math.max(0, OPENING_LISTS + later - read - asked)
    if (room > 0 && first.length > 0) lists.set(site, inOrder(first, frontier).slice(0, room))
    if (isOpening && asked + open.length > 0) most[site] = OTHERS_MEANWHILE
  }
  for (const url of underWay) {
    const host = urls.hostNumberOf(url)
    if (named.namerOf(url) === undefined) most[host] = Math.max(0, most[host] - 1)
  }
  const isExempt = (url: number) => named.namerOf(url) !== undefined
  return { lists, quota: { groups: urls.hosts(), most, isExempt } }
}

/**
 * The same for the last plan of a budget: what lists say comes too late to be of use. So they come first only on sites
 * that would be asked so often that a further run could not read them within the first twenty requests.
 */
export function inLastPlan(
  { lists, quota }: NamedFirst,
  { fetches }: Pick<Plan, 'fetches'>,
  frontier: Frontier,
): NamedFirst {
  const asked = new Float64Array(quota.most.length)
  asked.set(frontier.visited().byHost.subarray(0, asked.length))
  for (const { url } of fetches) asked[quota.groups[url]]++
  const mayWait = (site: number) => 1 + asked[site] + (lists.get(site)?.length ?? 1) <= KNOWN_WITHIN
  return {
    lists: new Map([...lists].filter(([site]) => !mayWait(site))),
    quota: {
      ...quota,
      most: quota.most.map((most, host) => (mayWait(host) ? Number.POSITIVE_INFINITY : most)),
    },
  }
}

function listsOfSites(
  frontier: Frontier,
  now: number,
  underWay: ReadonlySet<number>,
  isFree: (url: number) => boolean,
): Map<number, ListsOfSite> {
  const isUnread = new Set(frontier.unfetchedLists(now))
  const sites = new Map<number, ListsOfSite>()
  const siteOf = new Map<number, number>()
  for (const url of frontier.named.urls()) {
    const finder = frontier.discoveries.finderOf(url)
    // A list speaks for the site that names it, wherever it lies.
    const host = frontier.urls.hostNumberOf(finder === NOBODY ? url : finder)
    const site = siteOf.get(finder) ?? host
    if (frontier.named.namerOf(url) !== 'pages') siteOf.set(url, site)
    const ofSite = sites.get(site) ?? { read: 0, asked: 0, open: [] }
    sites.set(site, ofSite)
    if (underWay.has(url)) ofSite.asked++
    else if (!isUnread.has(url)) ofSite.read++
    else if (isFree(url) && isAboutItsSite(url, frontier)) ofSite.open.push(url)
  }
  return sites
}

/** A feed that a single page names is mostly about that page, unless one begins there. */
function isAboutItsSite(url: number, frontier: Frontier): boolean {
  if (frontier.named.namerOf(url) !== 'pages') return true
  return frontier.discoveries.depthOf(url) <= 1 || frontier.inLinksOf(url) >= PAGES_NAMING_A_FEED
}

function inOrder(lists: readonly number[], { named }: Frontier): number[] {
  const rank = (url: number) => LIST_NAMERS.indexOf(named.namerOf(url)!)
  return lists.toSorted((a, b) => rank(a) - rank(b) || a - b)
}

/**
 * The plan with lists in front of everything else of their sites, as far as it has anything of them. They take the
 * place of the plan's last fetches, but not of seeds, nor of those that were sampled.
 */
export function withNamedFirst(
  plan: Plan,
  { lists }: NamedFirst,
  limits: FetchLimits,
  frontier: Frontier,
): Plan {
  if (lists.size === 0) return plan
  const { fetches, reserved } = plan
  const bids = new Map([...fetches, ...(reserved ?? [])].map((fetch) => [fetch.url, fetch]))
  const quotaState = new QuotaState(limits)
  const taken = new Set<number>()
  const withLists = (some: readonly NotedFetch[], most: number) => {
    let room = most
    return some.flatMap((fetch) => {
      const named = lists.get(frontier.urls.hostNumberOf(fetch.url)) ?? []
      const open = named.filter((url) => !taken.has(url)).slice(0, room)
      const first = open.filter((url) => quotaState.take(url) && taken.add(url))
      room -= first.length
      const isKept = !taken.has(fetch.url) && quotaState.take(fetch.url)
      taken.add(fetch.url)
      return [
        ...first.map((url) => listFetch(url, bids.get(url), frontier)),
        ...(isKept ? [fetch] : []),
      ]
    })
  }
  const seeds = fetches.filter(({ url }) => frontier.isSeed(url)).length
  const planned = withLists(fetches, limits.budget - seeds)
  const mayGo = ({ url, probability }: NotedFetch) =>
    !frontier.isSeed(url) && probability === undefined && frontier.named.namerOf(url) === undefined
  return {
    ...plan,
    fetches: withoutLast(planned, planned.length - limits.budget, mayGo),
    ...(reserved && { reserved: withLists(reserved, reserved.length) }),
  }
}

function listFetch(url: number, bid: NotedFetch | undefined, { named }: Frontier): NotedFetch {
  const reason = WHY[named.namerOf(url)!]
  return fetchAnyway(url, 'discover', () => (bid ? `${reason}; ${bid.why()}` : reason), bid)
}

/** Leaves out the last so many that may go; if they are not enough, the last of all. */
function withoutLast<T>(all: readonly T[], excess: number, mayGo: (one: T) => boolean): T[] {
  let left = excess
  const kept = all.toReversed().filter((one) => left <= 0 || !mayGo(one) || left-- <= 0)
  return kept.toReversed().slice(0, all.length - Math.max(0, excess))
}
