import { sampleOf } from '#numeric/hash.ts'
import type { AcquisitionFacts, AcquisitionModel, PageModel } from '../facts/acquisition-facts.ts'
import { fitPageValue, NO_PAIRS } from './page-value.ts'
import { fitPairs, pairWorths } from './pairs/pair-model.ts'
import { surveyOf } from './survey.ts'

/** Of more pages and queries than these, some are drawn. */
export const MOST_PAGES = 20_000
const MOST_QUERIES = 2_000
export const SEED = 0xd1a3
/** With fewer fetched pages, or fewer pairs worth anything, there is nothing to learn. */
export const LEAST_PAGES = 50
export const LEAST_HITS = 30

/** The queries that are learnt from. */
export function drawnQueries(queries: readonly unknown[]): (query: number) => boolean {
  return sampleOf(SEED, queries.length, MOST_QUERIES)
}

/** Learns from the pages fetched so far; undefined if they are too few. Heeds no model there was before. */
export function learnAcquisition(facts: AcquisitionFacts): AcquisitionModel | undefined {
  const { visits, queries } = facts
  if (visits.length < LEAST_PAGES) return undefined
  const isAsked = drawnQueries(queries)
  const survey = surveyOf(facts, drawnPages(visits))
  const asked = Array.from(queries.keys()).filter(isAsked)
  const pairs = survey.finder.find(asked, survey.isSurveyed)
  const worths = pairWorths(facts, pairs)
  const { model, predicted } = fitPairs(pairs, worths)
  if (model.hitsSeen < LEAST_HITS) return undefined
  const expected = { queries: pairs.queries, urls: pairs.urls, expected: predicted }
  return { ...model, ...fitPageValue(survey, expected, isAsked) }
}

/** The same where queries are synthetic: what pages are worth by links and by what lies around them, whatever is asked. */
export function learnWithoutLog(facts: AcquisitionFacts): PageModel | undefined {
  const { visits, queries } = facts
  if (visits.length < LEAST_PAGES) return undefined
  const isDrawn = drawnQueries(queries)
  return fitPageValue(surveyOf(facts, drawnPages(visits)), NO_PAIRS, isDrawn)
}

/** Pages to learn from, ascending. */
function drawnPages(visits: Uint32Array): Uint32Array {
  return visits.filter(sampleOf(SEED, visits.length, MOST_PAGES)).sort()
}
