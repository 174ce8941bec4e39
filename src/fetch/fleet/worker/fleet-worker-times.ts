/** A lease lasts so long unless it is renewed. */
export const LEASE_SECONDS = 30
/** So long before its leases may have ended, a worker sends nothing more; what is under way has half of it to end. */
export const MARGIN_SECONDS = 4
/**
 * What came is stored and reported so often, or sooner when many domains have nothing more that they may send. Who has
 * few domains reports more often: the planner hears little else of them, and a report of few costs the database little.
 */
const REPORT_SECONDS = { least: 5, most: 12, ofDomain: 1 / 4 }
export function reportSeconds(domains: number): number {
  const { least, most, ofDomain } = REPORT_SECONDS
  return Math.max(least, Math.min(most, domains * ofDomain))
}
/** In a hurry it does so after such a part of that time. */
export const HURRIED_SHARE = 1 / 5
export const DRY_SHARE = 1 / 10
/** A domain may send for so long before it must ask. */
export const OPEN_SECONDS = 1.6 * REPORT_SECONDS.most
/** How soon more leases are asked for after some were had; how many at a time: others want some too. */
export const ASK_SECONDS = 1
export const ASK_AT_ONCE = 32
/** The next batch of a domain is asked for with the report before this one is done, and not much sooner: the next plan may know better. */
export const AHEAD_SECONDS = 2.5 * REPORT_SECONDS.most
/** Beyond so many domains at a time it leases only where it has places; beyond this many times as many, nothing. */
export const MOST_HERE = 2
/** After none were had, reports tell of the next plan. Who has nothing to report asks, less and less often. */
export const ASK_AGAIN_SECONDS = 3 * REPORT_SECONDS.most
export const IDLE_SECONDS = 1
export const LONGEST_IDLE_SECONDS = 4
export const STEP_SECONDS = 0.1
/** How often places are asked for that others have, where no batch can go back for it. */
export const ARRIVE_SECONDS = 2
/** A worker that is told to stop breaks off what is not answered by then, and tries to report for so long. */
export const STOP_SECONDS = 1
export const LAST_REPORT_SECONDS = 2
/** Between tries of a database or a store that does not answer. */
export const RETRY_SECONDS = 0.5
/** What the database was asked and did not answer may come true late: so long, reports name all leases; else so often. */
export const UNSURE_SECONDS = 75
export const SAY_ALL_SECONDS = 60
