import type { AcquisitionFacts } from '#frontier/acquisition-facts.ts'
import {
  NEIGHBOUR_NAMES,
  type Neighbourhood,
  neighbourhood,
  neighbourMeans,
} from './neighbour-means.ts'
import { type PageTraits, pageTraits } from './page-traits.ts'
import { queryWeights, repeatShare, UNKNOWN_POWER } from './page-value.ts'
import { PairFinder } from './pair-features.ts'
import { realisedWorth } from './worth.ts'

/** What learning and bidding look at alike, for some URLs. */
export interface Survey {
  readonly facts: AcquisitionFacts
  readonly urls: Uint32Array
  /** 1 for each of the URLs. */
  readonly isSurveyed: Uint8Array
  readonly traits: PageTraits
  readonly around: Neighbourhood
  /** What lies around each of the URLs, by their places; columns as `NEIGHBOUR_NAMES`. */
  readonly means: readonly Float32Array[]
  /** What fetched pages are worth, per unit of `unknownWeights`; by URL. */
  readonly realised: Float64Array
  /** Of each query, summing to 1: as far as it may be expected to come again, and if none does. */
  readonly weights: Float64Array
  readonly unknownWeights: Float64Array
  readonly finder: PairFinder
}

/** Everything about some URLs that does not depend on a model. */
export function surveyOf(facts: AcquisitionFacts, urls: Uint32Array): Survey {
  const urlCount = facts.domains.length
  const traits = pageTraits(facts)
  const around = neighbourhood(facts)
  const { queries } = facts
  const weights = queryWeights(queries, UNKNOWN_POWER + (1 - UNKNOWN_POWER) * repeatShare(queries))
  const unknownWeights = queryWeights(queries, UNKNOWN_POWER)
  const realised = realisedWorth(facts.answers, unknownWeights, facts.worth, urlCount)
  const isSurveyed = new Uint8Array(urlCount)
  for (const url of urls) isSurveyed[url] = 1
  const means = neighbourMeans(around, realised, urls)
  const neighbours = Object.fromEntries(
    NEIGHBOUR_NAMES.map((name, kind) => {
      const column = new Float32Array(urlCount)
      for (let i = 0; i < urls.length; i++) column[urls[i]] = means[kind][i]
      return [name, column]
    }),
  )
  const finder = new PairFinder(facts, traits, neighbours)
  return {
    ...{ facts, urls, isSurveyed, traits, around, means },
    ...{ realised, weights, unknownWeights, finder },
  }
}
