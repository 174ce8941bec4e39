import type { AddressEvidence } from '#frontier/urls/address-chances.ts'
import { type ListEvidence, listKindOf } from '#learn/yields/first-yields.ts'
import { urlClass } from '#parse/url/url-class.ts'
import type { Parts } from '#policy/budget/added-bids.ts'
import type { Offers } from '#policy/budget/one-budget.ts'
import { HORIZON_DAYS, predictionsOf } from '#policy/budget/one-currency.ts'
import type { BudgetPlanner, Draft, PlannerKnowledge } from '#policy/planning/budget-planner.ts'
import { type CopyOutlook, copyOutlook } from '#policy/refresh/explain-refresh.ts'
import type { RenderTerms } from '#policy/render/render-terms.ts'

/** What a bid is made of. Each part is worth so much, quality × days; corrections are counted in. */
export interface ExplainedParts {
  readonly acquire?: {
    readonly worth: number
    /** Quality of the page once it is held, for so many days. */
    readonly value: number
    readonly horizonDays: number
    readonly correction: number
  }
  readonly refresh?: CopyOutlook & { readonly worth: number; readonly correction: number }
  readonly discover?: {
    readonly worth: number
    /** New links that the fetch is expected to show. */
    readonly links: number
    /** What one is worth a day beyond the price of fetching its page. */
    readonly worthOfLink: number
    /** Days that they have waited, or would wait. */
    readonly days: number
    readonly correction: number
    /** Of an unread sitemap or feed: what others brought, which its links are expected by. */
    readonly list?: ListEvidence
  }
  /** Of a page that would be rendered for the first time. */
  readonly render?: {
    readonly worth: number
    /** Quality once it is rendered, and what of the page's predicted worth that is. */
    readonly value: number
    readonly share: number
    /** What it costs, in fetches: the bid is what each of them is worth. */
    readonly cost: number
    /** Renderings that this is known by, of its class and of its host. */
    readonly ofClass: number
    readonly ofHost: number
    readonly links: number
    readonly horizonDays: number
  }
  /** Of an address never tried: what became of others under its prefix, where some led nowhere. */
  readonly address?: AddressEvidence
  /** The class of URLs that it learns from and that alarms are about. */
  readonly className: string
  readonly alarms: readonly ExplainedAlarm[]
}

/** Something that the class of a URL has begun to do. */
export interface ExplainedAlarm {
  readonly kind: 'vanishing' | 'burst of links'
  readonly since: number
  /** How many times more happens than before. */
  readonly factor: number
  /** Whether it raises the bid: who was visited since has been looked at. */
  readonly applies: boolean
}

/** What the three parts of a bid come from. */
export function explainParts(
  planner: BudgetPlanner,
  { facts, offers, terms }: Pick<Draft, 'facts' | 'terms'> & { readonly offers: Offers },
  url: number,
  worths: Parts,
): ExplainedParts {
  const known = planner.learnt
  const [prediction] = predictionsOf(offers, [url])
  const factor = (task: 'acquire' | 'refresh') => correctionOf(known, url, task, prediction[task])
  const copy = prediction.refresh === undefined ? undefined : copyOutlook(facts, url)
  return {
    ...(prediction.acquire !== undefined && {
      acquire: {
        worth: worths.acquire,
        value: prediction.acquire * factor('acquire'),
        horizonDays: HORIZON_DAYS,
        correction: factor('acquire'),
      },
    }),
    ...(terms &&
      prediction.render !== undefined && { render: renderPart(terms, offers, url, worths) }),
    ...(copy && {
      refresh: { ...copy, worth: worths.refresh, correction: factor('refresh') },
    }),
    ...discoverPart(known, offers, url, worths.discover),
    ...(prediction.acquire !== undefined && {
      address: known.frontier.addresses.evidenceFor(url),
    }),
    className: urlClass(known.frontier.urls.urlOf(url)),
    alarms: alarmsOf(known, url),
  }
}

function renderPart(
  terms: RenderTerms,
  { rendering }: Offers,
  url: number,
  { acquire: worth }: Parts,
): NonNullable<ExplainedParts['render']> {
  const { share, ofClass, ofHost, links } = terms.expectedOf(url)
  const { urls, gains } = rendering!.first
  const value = gains[urls.indexOf(url)]
  const cost = terms.renderingCost(url)
  return { worth, value, share, cost, ofClass, ofHost, links, horizonDays: HORIZON_DAYS }
}

/** By how much what earlier fetches came to changes an estimate. */
function correctionOf(
  { corrections }: PlannerKnowledge,
  url: number,
  task: 'acquire' | 'refresh',
  prediction = 0,
): number {
  if (prediction === 0) return 1
  return corrections.corrected(task, url, prediction) / prediction
}

/** What a link is worth depends on the price of the day, so it is told from what all are worth. */
function discoverPart(
  { corrections, frontier, histories }: PlannerKnowledge,
  { discover: { urls, reveals }, rendering }: Offers,
  url: number,
  worth: number,
): Pick<ExplainedParts, 'discover'> {
  const i = urls.indexOf(url)
  if (i < 0 || reveals === undefined) return {}
  const { links, days, isFirst } = reveals
  const isRight = rendering?.isFirst(url) === true
  const corrected = isRight ? links[i] : corrections.links(url, links[i], isFirst[i] === 1)
  const correction = links[i] > 0 ? corrected / links[i] : 1
  const linkDays = corrected * days[i]
  const worthOfLink = linkDays > 0 ? worth / linkDays : 0
  const kind = isFirst[i] === 1 ? listKindOf(url, frontier) : undefined
  const list = kind && histories.firstYields.listEvidence(kind, frontier.urls.hostNumberOf(url))
  return { discover: { worth, links: corrected, worthOfLink, days: days[i], correction, list } }
}

function alarmsOf({ watch, frontier }: PlannerKnowledge, url: number): ExplainedAlarm[] {
  const classNumber = frontier.classes.of(url)
  const { vanishing, bursts } = watch.alarms()
  const lastVisit = frontier.lastVisitOf(url)
  return [
    ...vanishing.map((alarm) => ({ kind: 'vanishing' as const, ...alarm })),
    ...bursts.map((alarm) => ({ kind: 'burst of links' as const, ...alarm })),
  ]
    .filter((alarm) => alarm.classNumber === classNumber)
    .map(({ kind, since, factor }) => ({ kind, since, factor, applies: lastVisit < since }))
}
