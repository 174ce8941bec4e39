import { canonicalUrl } from '#parse/url/canonical-url.ts'
import { acquisitionFacts, impactBidder } from '#policy/acquire/impact.ts'
import type { AcquisitionFacts } from '#policy/facts/acquisition-facts.ts'
import { KnownQueries } from '#policy/facts/known-queries.ts'
import { newPagesPlanner } from '#policy/planning/budget-planner.ts'
import type { Query } from '#workload/workload.ts'
import type { AnswerTruth } from '../judging/answer-truth.ts'
import { recordedScope } from '../worlds/recorded-scope.ts'
import { WorldCrawl } from '../worlds/world-crawl.ts'

/** A crawl that holds given pages, with what it goes by when it chooses new ones. */
export interface KnowingCrawl {
  readonly facts: AcquisitionFacts
  /** By URL number: the page of the archive that a fetch gives. */
  readonly pageOf: (url: number) => number | undefined
  readonly urlOf: (page: number) => number | undefined
}

/** Fetches the pages, and reads a log. */
export async function knowingCrawl(
  truth: AnswerTruth,
  held: readonly number[],
  log: readonly Query[],
  seed: number,
): Promise<KnowingCrawl> {
  const { web } = truth
  const world = { archive: web.archive, week: web.snapshot, log: [], seed }
  const crawl = new WorldCrawl({ ...world, scope: recordedScope(web), seeksSitemaps: false })
  await crawl.visit(held.map((page) => truth.urlOf(page)))
  const { frontier, lessons } = crawl.state
  const { urls } = frontier
  const pageOf = (url: number) => truth.pageAt(urls.urlOf(url))
  const queries = new KnownQueries({
    ...{ frontier, index: crawl.index, queries: log, scoring: truth.scoring },
  })
  await queries.renew()
  const planner = newPagesPlanner(impactBidder, lessons, queries)
  const candidates = crawl.candidates().filter((url) => pageOf(url) !== undefined)
  const limits = { budget: candidates.length }
  const { facts } = planner.draft({ now: crawl.now, seed, candidates, limits })
  return {
    facts: acquisitionFacts(facts, facts.asked!),
    pageOf,
    urlOf: (page) => urls.find(canonicalUrl(web.archive.urlOf(page)) ?? ''),
  }
}
