import type { PageModel } from '../facts/acquisition-facts.ts'
import { linkValue } from './link-value.ts'
import { noQueryValue, predictPageValue, trustIn } from './page-value.ts'
import type { Survey } from './survey.ts'

/** Links count three times as much as what was learnt: queries made up from what is held tell little of those that are asked. */
const LEARNT_SHARE = 0.25

/**
 * What URLs are worth where there is no log: a geometric mean of what links say, and of what pages like them turned out to
 * be worth to queries made up from what was crawled. Looking for the words of such queries in addresses and
 * anchors finds no better pages, and takes most of a plan's time.
 */
export function unaskedValues(survey: Survey, model: PageModel | undefined): Float64Array {
  const { length } = survey.urls
  if (model === undefined) return linkValue(survey, new Float64Array(length))
  const learnt = predictPageValue(model, survey, noQueryValue(length))
  const links = linkValue(survey, learnt)
  const trust = trustIn(model)
  return links.map((link, i) => {
    const both = learnt[i] ** LEARNT_SHARE * link ** (1 - LEARNT_SHARE)
    return trust * both + (1 - trust) * link
  })
}
