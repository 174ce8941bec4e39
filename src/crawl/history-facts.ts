import type { Frontier } from '#frontier/frontier.ts'
import type { HistoryFacts } from '#frontier/refresh-facts.ts'
import type { Clicks } from './clicks.ts'
import type { Histories } from './histories.ts'

/**
 * What refreshing policies that learn read now of the pages held, with so many fetches a day for them. Copies
 * that may not be fetched again, by their age or for another reason, are left out.
 */
export function historyFacts(
  frontier: Frontier,
  histories: Histories,
  clicks: Clicks,
  now: number,
  fetchesPerDay: number,
  mayRefetch?: (url: number, ageSeconds: number) => boolean,
): HistoryFacts {
  const { pages, ages } = frontier.refreshFacts(now, mayRefetch)
  const hosts = frontier.urls.hosts()
  const classOf = frontier.classes.all()
  const clicksByUrl = new Float64Array(frontier.size)
  for (const [url, some] of clicks) clicksByUrl[url] = some
  const clicksOf = new Float64Array(pages.length)
  const classes = new Uint32Array(pages.length)
  const oddsFactors = new Float64Array(pages.length)
  for (let i = 0; i < pages.length; i++) {
    const url = pages[i]
    clicksOf[i] = clicksByUrl[url]
    classes[i] = classOf[url]
    oddsFactors[i] = frontier.claims.oddsFactorOf(url, hosts[url], frontier.lastVisitOf(url))
  }
  const { changes: history, gains } = histories
  const claims = { oddsFactors }
  return { pages, ages, clicks: clicksOf, classes, history, gains, claims, fetchesPerDay }
}
