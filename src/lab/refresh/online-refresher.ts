import { ChangeHistory } from '#learn/change-history.ts'
import { GainHistory } from '#learn/gain-history.ts'
import type { Policy } from '#policy/bids.ts'
import { planFetches } from '#policy/budget/scheduler.ts'
import type { HistoryFacts } from '#policy/facts/refresh-facts.ts'
import type { Signals } from './lastmod.ts'
import type { RefreshLab } from './refresh-lab.ts'
import type { Refresher } from './simulate.ts'

const SECONDS_A_DAY = 86_400

export interface OnlineSetup {
  readonly policy: Policy<HistoryFacts>
  /** Fetches a week. */
  readonly budget: number
  /** The week in which all copies are current. */
  readonly from: number
  readonly seed: number
  readonly signals?: Signals
}

/** A crawler that knows nothing at first but clicks, and then what its own fetches showed. */
export function onlineRefresher(lab: RefreshLab, setup: OnlineSetup): Refresher {
  const { pages, classes } = lab
  const { policy, budget, from, seed, signals } = setup
  const urls = Uint32Array.from(pages.archivePages.keys())
  const lastFetch = new Uint32Array(urls.length).fill(from)
  const history = new ChangeHistory()
  const gains = new GainHistory()
  const daysSince = (page: number, week: number) => pages.days[week] - pages.days[lastFetch[page]]
  return {
    choose: (week, held) => {
      const claims = signals?.claims(week, lastFetch)
      const bids = policy({
        pages: urls,
        ages: Float64Array.from(urls, (page) => daysSince(page, week) * SECONDS_A_DAY),
        clicks: held.clicks.map((clicks) => Math.max(0, clicks)),
        classes,
        history,
        gains,
        fetchesPerDay: budget / (pages.days[week] - pages.days[week - 1]),
        ...(claims && { claims }),
      })
      return planFetches([bids], { budget, tieSeed: seed }).map(({ url }) => url)
    },
    learn: (week, { page, changed, gain, clicks }) => {
      const days = daysSince(page, week)
      signals?.test(week, page, lastFetch[page], changed)
      history.observe(page, days, changed)
      gains.observe(page, { days, changed, gain, clicks, classNumber: classes[page] })
      lastFetch[page] = week
    },
  }
}
