import type { AcquisitionFacts } from '#frontier/acquisition-facts.ts'
import type { Bids } from '../bids.ts'
import { candidateValues, valueLeft } from './candidate-values.ts'
import { reasonFor } from './explain-impact.ts'
import { Slots, valuesInTurn } from './slots.ts'

/**
 * Bids for candidates by what searchers are expected to get of them, in the currency of `worth`, each
 * after the better ones have taken their places.
 *
 * @paper PandeyOlston2008 §5 — with the expected worth where it has a step at one expected score,
 * candidates found by links as well as words, and a learnt mixture in place of its fixed one.
 */
export function impact(facts: AcquisitionFacts): Bids {
  const { candidates, queries, budget } = facts
  const values = candidateValues(facts)
  const slots = new Slots(values)
  const gains = valuesInTurn(values.value, budget, {
    valueNow: (i) => valueLeft(values, i, slots.lossOf(candidates[i])),
    take: (i) => slots.take(candidates[i]),
  })
  const totalWeight = queries.reduce((sum, { weight }) => sum + weight, 0)
  for (let i = 0; i < gains.length; i++) gains[i] *= totalWeight
  return {
    purpose: 'acquire',
    urls: candidates,
    gains,
    why: (i) => reasonFor(values, candidates[i]),
  }
}
