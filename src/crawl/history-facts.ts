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
  mayRefetch: (url: number, ageSeconds: number) => boolean = () => true,
): HistoryFacts {
  const held = frontier.refreshFacts(now)
  const isOpen = (_: number, i: number) => mayRefetch(held.pages[i], held.ages[i])
  const pages = held.pages.filter(isOpen)
  const ages = held.ages.filter(isOpen)
  const hosts = frontier.urls.hosts()
  const clicksByUrl = new Float64Array(frontier.size)
  for (const [url, some] of clicks) clicksByUrl[url] = some
  return {
    pages,
    ages,
    clicks: Float64Array.from(pages, (url) => clicksByUrl[url]),
    classes: pages.map((url) => frontier.patterns.numberOf(url)),
    history: histories.changes,
    gains: histories.gains,
    claims: {
      oddsFactors: Float64Array.from(pages, (url) =>
        frontier.claims.oddsFactorOf(url, hosts[url], frontier.lastVisitOf(url)),
      ),
    },
    fetchesPerDay,
  }
}
