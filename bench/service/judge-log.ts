import { DAY_SECONDS, type Rate } from '#crawl/pace/allowance.ts'

/** What a server's log says of a service; times of page requests in seconds, ascending. */
export interface RateReport {
  readonly requests: number
  /** Most in any 24 hours, as a share of what the rate allows. */
  readonly worstDay: number
  /** Most between any two requests, as a share of a burst and what the rate brought meanwhile. */
  readonly worstSpan: number
}

/** How near a service came to its rate: above 1 it was exceeded. */
export function rateReport(times: readonly number[], { fetchesADay, burst }: Rate): RateReport {
  let [worstDay, worstSpan, first] = [0, 0, 0]
  for (let last = 0; last < times.length; last++) {
    while (times[last] - times[first] >= DAY_SECONDS) first++
    worstDay = Math.max(worstDay, (last - first + 1) / fetchesADay)
    // Longer spans are sums of shorter ones and days.
    for (let from = first; from <= last; from++) {
      const brought = (fetchesADay * (times[last] - times[from])) / DAY_SECONDS
      worstSpan = Math.max(worstSpan, (last - from + 1) / (burst + brought))
    }
  }
  return { requests: times.length, worstDay, worstSpan }
}
