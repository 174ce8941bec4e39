import type { Frontier } from '#frontier/frontier.ts'
import { factorsOf, type RegimeWatch } from '#learn/alarms/regime-watch.ts'
import type { Corrections } from '#learn/corrections/corrections.ts'
import type { Histories } from '#learn/histories.ts'
import { type Bids, noBids, type Policy } from '#policy/bids.ts'
import type { Estimates } from '#policy/budget/one-budget.ts'
import type { ExpectedLinks } from '#policy/budget/one-currency.ts'
import { linksOfFirstFetches, linksOfRevisits } from '#policy/discover/expected-links.ts'
import { type FoundLinks, type LinksWorth, linksWorth } from '#policy/discover/links-worth.ts'
import type { HistoryFacts } from '#policy/facts/refresh-facts.ts'
import { historyFacts, type Moment } from './history-facts.ts'
import { foundLinks, shownOnce, yieldFacts } from './yield-facts.ts'

/** What a crawl knows of its pages when it estimates what fetches are worth. */
export interface Known {
  readonly frontier: Frontier
  readonly histories: Histories
  readonly corrections: Corrections
  readonly watch: RegimeWatch
}

/** What refreshing policies read, with what alarms add to the odds that pages are gone. */
export function refreshFactsNow({ frontier, histories, watch }: Known, at: Moment): HistoryFacts {
  const facts = historyFacts(frontier, histories, at)
  const { vanishing } = watch.alarms()
  if (vanishing.length === 0) return facts
  const { pages, classes } = facts
  const lastVisits = frontier.lastVisits()
  const factorOf = factorsOf(vanishing)
  const gone = facts.gone!
  const oddsFactors = gone.oddsFactors.slice()
  for (let i = 0; i < pages.length; i++)
    oddsFactors[i] *= factorOf(classes[i], lastVisits[pages[i]])
  return { ...facts, gone: { ...gone, oddsFactors } }
}

/** Bids for all three kinds of fetch, before corrections; whoever does not bid is left out. */
export function budgetEstimates(
  known: Known,
  at: Moment,
  bidders: {
    readonly acquire: Bids
    readonly refresher?: Policy<HistoryFacts>
    readonly discovers: boolean
  },
): Estimates {
  const { acquire, refresher, discovers } = bidders
  const facts = refreshFactsNow(known, at)
  return {
    acquire,
    refresh: refresher ? refresher(facts) : noBids('refresh'),
    links: discovers ? expectedLinks(known, facts, acquire.urls, at.now) : [],
    worthOfLink: worthOfLinks(known, acquire),
  }
}

/** The links that fetches may show: of copies first, then of new pages. */
export function expectedLinks(
  { frontier, histories, watch }: Known,
  { pages, classes }: HistoryFacts,
  candidates: Uint32Array,
  now: number,
): readonly ExpectedLinks[] {
  const { held, firstLinks } = yieldFacts(frontier, histories, now, { pages, candidates })
  const hosts = frontier.urls.hosts()
  const sites = pages.map((page) => hosts[page])
  const lastVisits = frontier.lastVisits()
  const factorOf = factorsOf(watch.alarms().bursts)
  const burst = (i: number) => factorOf(classes[i], lastVisits[pages[i]])
  return [
    linksOfRevisits(held, { classes, sites }, burst),
    linksOfFirstFetches(candidates, firstLinks, shownOnce(frontier)),
  ]
}

/** What a link is worth, by the class of the page that shows it; worked out once for each price. */
export function worthOfLinks(known: Known, acquire: Bids) {
  const classes = known.frontier.classes.all()
  let latest: { readonly price: number; readonly worth: LinksWorth } | undefined
  return (url: number, price: number): number => {
    // All that links are judged by is too large to be kept for another price, which seldom comes.
    if (latest?.price !== price)
      latest = { price, worth: linksWorth(valuedLinks(known, acquire), price) }
    return latest.worth.of(classes[url])
  }
}

function valuedLinks({ frontier, histories, corrections }: Known, acquire: Bids): FoundLinks {
  const corrected = (url: number, thought: number) => corrections.rethought('acquire', url, thought)
  return foundLinks(frontier, histories, acquire, corrected)
}
