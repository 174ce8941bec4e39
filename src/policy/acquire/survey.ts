import { linkFlow } from '#importance/link-flow.ts'
import type { AcquisitionFacts } from '../facts/acquisition-facts.ts'
import { realisedWorth, wholeWorth } from '../facts/worth.ts'
import { queryWeights, repeatShare, UNKNOWN_POWER } from './page-value.ts'
import {
  NEIGHBOUR_NAMES,
  type Neighbourhood,
  neighbourhood,
  neighbourMeans,
} from './pairs/neighbour-means.ts'
import { type PageTraits, pageTraits } from './pairs/page-traits.ts'
import { PairFinder } from './pairs/pair-features.ts'

/** What learning and bidding look at alike, for some URLs. */
export interface Survey {
  readonly facts: AcquisitionFacts
  readonly urls: Uint32Array
  /** 1 for each of the URLs. */
  readonly isSurveyed: Uint8Array
  /** By URL: its place in `urls`, if it is one of them. */
  readonly placeOf: Uint32Array
  readonly traits: PageTraits
  readonly around: Neighbourhood
  /** What lies around each of the URLs, by their places; columns as `NEIGHBOUR_NAMES`. */
  readonly means: readonly Float32Array[]
  /** Of each query, summing to 1: as far as it may be expected to come again, and if none does. */
  readonly weights: Float64Array
  readonly unknownWeights: Float64Array
  readonly finder: PairFinder
}

/** Everything about some URLs that does not depend on a model. */
export function surveyOf(facts: AcquisitionFacts, urls: Uint32Array): Survey {
  const urlCount = facts.domains.length
  const flow = linkFlow(facts.links)
  const traits = pageTraits(facts, flow)
  const around = neighbourhood(facts, flow)
  const { queries } = facts
  const weights = queryWeights(queries, UNKNOWN_POWER + (1 - UNKNOWN_POWER) * repeatShare(queries))
  const unknownWeights = queryWeights(queries, UNKNOWN_POWER)
  const { whole } = facts
  const { realised, mean } = whole
    ? wholeWorth(facts.answers, unknownWeights, urlCount, whole.visits)
    : { realised: realisedWorth(facts.answers, unknownWeights, urlCount), mean: undefined }
  const isSurveyed = new Uint8Array(urlCount)
  const placeOf = new Uint32Array(urlCount)
  for (let place = 0; place < urls.length; place++) {
    isSurveyed[urls[place]] = 1
    placeOf[urls[place]] = place
  }
  const means = neighbourMeans(around, realised, urls, mean)
  const neighbours = Object.fromEntries(
    NEIGHBOUR_NAMES.map((name, kind) => [name, (url: number) => means[kind][placeOf[url]]]),
  )
  const finder = new PairFinder(facts, traits, neighbours)
  const described = { traits, around, means, weights, unknownWeights, finder }
  return { facts, urls, isSurveyed, placeOf, ...described }
}
