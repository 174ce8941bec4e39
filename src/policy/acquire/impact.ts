import type { AcquisitionFacts } from '#frontier/acquisition-facts.ts'
import type { Bids } from '../bids.ts'
import { candidateValues, valueLeft } from './candidate-values.ts'
import { Slots, valuesInTurn } from './slots.ts'
import { wishesFor } from './wishes.ts'

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
    why: (i) => {
      const [first] = wishesFor(values, candidates[i])
      if (first === undefined) return 'no query asks for it; worth what lies around it is worth'
      const share = Math.round(100 * first.expected)
      return `may answer "${queries[first.query].text}" (${share} % of a good answer)`
    },
  }
}
