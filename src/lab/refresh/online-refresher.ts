import { ChangeHistory } from '#learn/change-history.ts'
import { GainHistory } from '#learn/gain-history.ts'
import type { Bidder } from '#policy/bidder.ts'
import { planFetches } from '#policy/budget/scheduler.ts'
import { type FactName, someFacts } from '#policy/facts/facts.ts'
import type { Signals } from './lastmod.ts'
import type { RefreshLab } from './refresh-lab.ts'
import type { Refresher } from './simulate.ts'

const SECONDS_A_DAY = 86_400

interface OnlineSetup {
  readonly bidder: Bidder
  /** Fetches a week. */
  readonly budget: number
  /** The week in which all copies are current. */
  readonly from: number
  readonly seed: number
  readonly signals?: Signals
}

/** What is known of the pages here. */
export const ONLINE_FACTS: readonly FactName[] = [
  ...(['pages', 'ages', 'addresses', 'classes', 'inLinks', 'domains'] as const),
  ...(['views', 'scorePerView', 'changes', 'gains', 'claims', 'gone', 'fetchesPerDay'] as const),
]

/** A crawler that knows nothing at first but views, and then what its own fetches showed. */
export function onlineRefresher(lab: RefreshLab, setup: OnlineSetup): Refresher {
  const { pages, classes } = lab
  const { bidder, budget, from, seed, signals } = setup
  const urls = Uint32Array.from(pages.archivePages.keys())
  const lastFetch = new Uint32Array(urls.length).fill(from)
  const history = new ChangeHistory()
  const gains = new GainHistory()
  const daysSince = (page: number, week: number) => pages.days[week] - pages.days[lastFetch[page]]
  return {
    choose: (week, held) => {
      const claims = signals?.claims(week, lastFetch)
      const facts = someFacts({
        ...{ now: pages.days[week] * SECONDS_A_DAY, seed, budget },
        pages: urls,
        ages: Float64Array.from(urls, (page) => daysSince(page, week) * SECONDS_A_DAY),
        addresses: lab.addresses,
        classes,
        ...{ inLinks: lab.inLinks, domains: new Uint32Array(urls.length) },
        views: held.clicks.map((views) => Math.max(0, views)),
        ...{ copies: undefined, scorePerView: undefined },
        changes: history,
        gains,
        claims,
        gone: undefined,
        fetchesPerDay: budget / (pages.days[week] - pages.days[week - 1]),
      })
      const bids = bidder.bids(facts)
      return planFetches([bids], { budget, tieSeed: seed }).map(({ url }) => url)
    },
    learn: (week, { page, changed, gain, clicks }) => {
      const days = daysSince(page, week)
      signals?.test(week, page, lastFetch[page], changed)
      history.observe(page, days, changed)
      gains.observe(page, { days, changed, gain, views: clicks, classNumber: classes[page] })
      lastFetch[page] = week
    },
  }
}
