import type { Bidder } from '../bidder.ts'
import type { Bids } from '../bids.ts'
import type { AcquisitionFacts } from '../facts/acquisition-facts.ts'
import type { Facts } from '../facts/facts.ts'
import type { QueryFacts } from '../facts/query-facts.ts'
import { byQueries, factsBefore, QUERY_NEEDS, trustInLog } from './by-queries.ts'
import { type CandidateValues, candidateValues, valueLeft } from './candidate-values.ts'
import { reasonFor } from './explain-impact.ts'
import { learnAcquisition, learnWithoutLog } from './learn-acquisition.ts'
import { QueryCapacity, valuesInTurn } from './query-capacity.ts'
import type { DemandedPages } from './query-demand.ts'

/** Our default for new pages. */
export const impactBidder: Bidder = byQueries(
  {
    name: 'impact',
    summary: 'most gain for what searchers ask first',
    unit: 'quality',
    needs: QUERY_NEEDS,
  },
  (facts, asked) => impact(acquisitionFacts(facts, asked)),
)

/** What `impact` goes by, for the queries of the log or synthetic ones: their latest review, and links as they are now. */
export function acquisitionFacts(facts: Facts, asked: QueryFacts): AcquisitionFacts {
  const { review } = asked
  const { models } = review
  const own = { ...factsBefore(facts, asked, review), review }
  if (asked.isSynthetic) {
    const model = models.of('synthetic', () => learnWithoutLog(own))
    return { ...own, withoutLog: { model } }
  }
  const learn = () => learnAcquisition({ ...own, ...asked.lessons })
  return { ...own, model: models.of('impact', learn) }
}

/** What `impact` goes by, with the queries behind it. */
export interface ImpactGrounds {
  readonly facts: AcquisitionFacts
  readonly asked: QueryFacts
}

/** What tells why `impact` bids as it does; undefined where there are no queries at all. */
export function impactGrounds(facts: Facts): ImpactGrounds | undefined {
  const asked = facts.asked ?? facts.synthetic
  if (asked === undefined) return undefined
  const own = acquisitionFacts(facts, asked)
  const isMixed = facts.asked !== undefined && facts.synthetic !== undefined
  return { asked, facts: isMixed ? { ...own, logShare: trustInLog(asked) } : own }
}

/**
 * Bids for candidates by the quality that searchers are expected to get of them, a search: each after
 * the better ones have taken their places.
 *
 * @paper PandeyOlston2008 §5 — with the expected worth where it has a step at one expected score,
 * candidates found by links as well as words, and a learnt mixture in place of its fixed one.
 */
export function impact(facts: AcquisitionFacts): Bids {
  const { candidates, answers, budget } = facts
  const values = candidateValues(facts)
  const capacity = new QueryCapacity(values)
  const gains = valuesInTurn(values.value, budget, {
    valueNow: (i) => valueLeft(values, i, capacity.lossOf(candidates[i])),
    take: (i) => capacity.take(candidates[i]),
  })
  // The currency of bids is quality a search, and a good answer counts as much as a mean one of the first ten.
  for (let i = 0; i < gains.length; i++) gains[i] *= answers.meanGain
  return {
    purpose: 'acquire',
    urls: candidates,
    gains,
    why: reasons(values, candidates),
  }
}

/** Keeps only what reasons need: bids are held while everything else is planned, and the rest is large. */
function reasons(
  { survey: { facts, weights }, pairs, pairsByUrl }: CandidateValues,
  candidates: Uint32Array,
): Bids['why'] {
  const demanded: DemandedPages = { survey: { facts, weights }, pairs, pairsByUrl }
  return (i) => reasonFor(demanded, candidates[i])
}
