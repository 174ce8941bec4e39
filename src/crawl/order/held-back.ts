import type { Frontier } from '#frontier/frontier.ts'
import { NOBODY } from '#frontier/urls/url-states.ts'
import { QuotaState } from '#policy/budget/quota.ts'
import type { NotedFetch, Plan } from '#policy/planning/plan.ts'
import { type FirstContactQuota, namedFirst } from './named-first.ts'

/**
 * The plan with those held back that are to wait for their site's sitemaps and feeds. Nobody takes their place: what a
 * site says of itself comes before its pages, but is no reason to ask others for something worse.
 */
export function holdBack(plan: Plan, quota: FirstContactQuota): Plan {
  const room = new QuotaState({ quotas: [quota] })
  const hasNoRoom = ({ url }: NotedFetch) => !room.take(url)
  const held = new Set(plan.fetches.filter(hasNoRoom).map(({ url }) => url))
  const reserved = plan.reserved?.filter(({ url }) => room.take(url))
  return { ...plan, ...(held.size > 0 && { held }), ...(reserved && { reserved }) }
}

/** What of a plan is held back, until answers show that its site has nothing more to say of itself. */
export class HeldBack {
  readonly #frontier: Frontier
  readonly #urls: Set<number>
  /** Hosts of these that nobody has asked before. */
  readonly #strangers: Set<number>

  constructor(frontier: Frontier, held: Plan['held'] = new Set()) {
    const { byHost } = frontier.visited()
    const hosts = Array.from(held, (url) => frontier.urls.hostNumberOf(url))
    this.#frontier = frontier
    this.#urls = new Set(held)
    this.#strangers = new Set(hosts.filter((host) => !(byHost[host] > 0)))
  }

  has(url: number): boolean {
    return this.#urls.has(url)
  }

  /** An answer was taken in: whether something may follow now that was held back. */
  release(answered: number, now: number, underWay: () => readonly number[]): boolean {
    if (!this.#isNews(answered)) return false
    const { urls } = this.#frontier
    const { quota } = namedFirst(this.#frontier, now, new Set(underWay()))
    const before = this.#urls.size
    for (const url of this.#urls)
      if (quota.most[urls.hostNumberOf(url)] === Number.POSITIVE_INFINITY) this.#urls.delete(url)
    return this.#urls.size < before
  }

  /** Whether it is the first answer of a host that something waits for, or one of its lists: looking at all lists is dear. */
  #isNews(answered: number): boolean {
    if (this.#urls.size === 0) return false
    const { named, urls, discoveries } = this.#frontier
    const host = urls.hostNumberOf(answered)
    if (this.#strangers.delete(host)) return true
    if (named.namerOf(answered) === undefined) return false
    const finder = discoveries.finderOf(answered)
    const sites = new Set([host, finder === NOBODY ? host : urls.hostNumberOf(finder)])
    return this.#urls.values().some((url) => sites.has(urls.hostNumberOf(url)))
  }
}
