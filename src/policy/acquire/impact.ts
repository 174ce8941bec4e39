import type { Bids } from '../bids.ts'
import type { AcquisitionFacts } from '../facts/acquisition-facts.ts'
import { type CandidateValues, candidateValues, valueLeft } from './candidate-values.ts'
import { reasonFor } from './explain-impact.ts'
import { Slots, valuesInTurn } from './query-capacity.ts'
import type { Wanted } from './query-demand.ts'
import { qualityOfOne } from './worth.ts'

/**
 * Bids for candidates by the quality that searchers are expected to get of them, a search: each after
 * the better ones have taken their places.
 *
 * @paper PandeyOlston2008 §5 — with the expected worth where it has a step at one expected score,
 * candidates found by links as well as words, and a learnt mixture in place of its fixed one.
 */
export function impact(facts: AcquisitionFacts): Bids {
  const { candidates, answers, worth, budget } = facts
  const values = candidateValues(facts)
  const slots = new Slots(values)
  const gains = valuesInTurn(values.value, budget, {
    valueNow: (i) => valueLeft(values, i, slots.lossOf(candidates[i])),
    take: (i) => slots.take(candidates[i]),
  })
  const one = qualityOfOne(answers, worth)
  for (let i = 0; i < gains.length; i++) gains[i] *= one
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
  const wanted: Wanted = { survey: { facts, weights }, pairs, pairsByUrl }
  return (i) => reasonFor(wanted, candidates[i])
}
