import type { GraphFacts, RefreshFacts } from '#frontier/graph-facts.ts'
import type { Lessons } from '#learn/lessons.ts'
import type { AddressShapes } from './address-shapes.ts'
import { anchorTexts } from './anchor-texts.ts'
import { type CopyTotals, type Facts, lazyFacts } from './facts.ts'
import { claimsOf, goneOf, viewsOfPages } from './held-pages.ts'
import type { QueryKnowledge } from './query-knowledge.ts'
import { NO_VIEWS, type Views } from './views.ts'
import { yieldsOf } from './yields.ts'

/** What a crawl knows, and goes on learning. */
interface FactSource {
  readonly lessons: Lessons
  readonly shapes: AddressShapes
  readonly asked?: QueryKnowledge
  readonly synthetic?: QueryKnowledge
  /** All copies, where others hold some of them. */
  readonly copies?: CopyTotals
}

/** The plan that facts are for. */
interface PlanMoment {
  readonly now: number
  readonly seed: number
  /** Fetches until there is a new plan. */
  readonly budget: number
  /** URLs that may be fetched for the first time, ascending. */
  readonly candidates: Uint32Array
  /** Whether a copy of that age may be fetched again now. */
  readonly mayRefetch: (url: number, ageSeconds: number) => boolean
}

/** What several facts are parts of. */
interface Made {
  readonly graph: GraphFacts
  readonly held: RefreshFacts
  readonly views: Views
}

/** The facts of one plan; `viewsOf` tells what searchers see, once somebody asks. */
export function crawlFacts(
  { lessons, shapes, asked, synthetic, copies }: FactSource,
  { now, seed, budget, candidates, mayRefetch }: PlanMoment,
  viewsOf: (facts: Facts) => Views | undefined = () => undefined,
): Facts {
  const { frontier, histories } = lessons
  const made: Made = lazyFacts<Made>({
    graph: () => frontier.graphFacts(now, seed),
    held: () => frontier.refreshFacts(now, mayRefetch),
    views: () => viewsOf(facts) ?? NO_VIEWS,
  })
  const moment = () => ({ visits: facts.visits, fetches: lessons.fetches, now })
  const facts: Facts = lazyFacts<Facts>({
    now: () => now,
    seed: () => seed,
    budget: () => budget,
    candidates: () => candidates,
    links: () => made.graph.links,
    depths: () => made.graph.depths,
    hosts: () => made.graph.hosts,
    domains: () => made.graph.domains,
    visits: () => made.graph.visits,
    addresses: () => ({ of: (url) => frontier.urls.urlOf(url) }),
    anchors: () => anchorTexts(frontier.links, frontier.size),
    classes: () => frontier.classes.all(),
    sections: () => shapes.sections(),
    addressLengths: () => shapes.lengths(),
    pages: () => made.held.pages,
    ages: () => made.held.ages,
    inLinks: () => Uint32Array.from(facts.pages, (page) => frontier.inLinksOf(page)),
    copies: () => copies,
    views: () => viewsOfPages(made.views, facts.pages, frontier.size),
    scorePerView: () => made.views.meanScore,
    changes: () => histories.changes,
    gains: () => histories.gains,
    claims: () => claimsOf(lessons, facts.pages),
    gone: () => goneOf(lessons, facts.pages, facts.views, facts.scorePerView, copies),
    fetchesPerDay: () => lessons.fetchesPerDay(now),
    yields: () => yieldsOf(lessons, now, facts.pages, candidates),
    asked: () => asked?.facts(moment()),
    synthetic: () => synthetic?.facts(moment()),
  })
  return facts
}
