import type { Frontier } from '#frontier/frontier.ts'
import { linksFromOthers } from '#frontier/links-from-others.ts'
import type { Histories } from '#learn/histories.ts'
import type { HistoryFacts } from '#policy/facts/refresh-facts.ts'
import type { Clicks } from './clicks.ts'

/** The moment of a plan. */
export interface Moment {
  readonly now: number
  readonly clicks: Clicks
  readonly fetchesPerDay: number
  /** Whether a copy of that age may be fetched again now. */
  readonly mayRefetch: (url: number, ageSeconds: number) => boolean
}

/**
 * What refreshing policies that learn read now of the pages held. Copies that may not be fetched again, by
 * their age or for another reason, are left out.
 */
export function historyFacts(
  frontier: Frontier,
  histories: Histories,
  { now, clicks: { byUrl, meanScore }, fetchesPerDay, mayRefetch }: Moment,
): HistoryFacts {
  const { pages, ages } = frontier.refreshFacts(now, mayRefetch)
  const hosts = frontier.urls.hosts()
  const classOf = frontier.classes.all()
  const lastVisits = frontier.lastVisits()
  const clicksByUrl = new Float64Array(frontier.size)
  for (const [url, some] of byUrl) clicksByUrl[url] = some
  const clicks = new Float64Array(pages.length)
  const classes = new Uint32Array(pages.length)
  const oddsFactors = new Float64Array(pages.length)
  const goneADay = new Float64Array(pages.length)
  const goneOdds = new Float64Array(pages.length)
  let allClicks = 0
  for (let i = 0; i < pages.length; i++) {
    const url = pages[i]
    clicks[i] = clicksByUrl[url]
    allClicks += clicks[i]
    classes[i] = classOf[url]
    oddsFactors[i] = frontier.claims.oddsFactorOf(url, hosts[url], lastVisits[url])
    goneADay[i] = histories.gone.goneADay(classes[i])
    goneOdds[i] = histories.gone.oddsFactorOf(url, linksFromOthers(url, frontier))
  }
  const { changes: history, gains } = histories
  const seen = { clicks, ...(meanScore !== undefined && { scorePerClick: meanScore }) }
  const claims = { oddsFactors }
  const gainPerClick = histories.gone.gainPerClick(meanScore ?? 1, allClicks / pages.length)
  const gone = { goneADay, oddsFactors: goneOdds, gainPerClick }
  return { pages, ages, ...seen, classes, history, gains, claims, gone, fetchesPerDay }
}
