import { averageTopScore, priorImprovability } from '#workload/improvability.ts'
import { findNeedyQueries } from '#workload/needy.ts'
import type { AcquisitionFacts } from '../../facts/acquisition-facts.ts'
import { heldScores } from './query-impact.ts'

/** The numbers of the neediest queries, ascending: only these get sketches. */
export function neediestQueries(
  { queries, answers }: Pick<AcquisitionFacts, 'queries' | 'answers'>,
  share: number,
): Uint32Array {
  const all = Uint32Array.from(queries.keys())
  if (share >= 1) return all
  const scores = Array.from(all, (query) => averageTopScore([...heldScores(answers, query)]))
  const numbered = queries.map(({ text, weight }, number) => ({
    id: String(number),
    text,
    weight,
    number,
  }))
  const needy = findNeedyQueries(numbered, scores, priorImprovability(scores), share)
  return Uint32Array.from(needy, ({ query }) => query.number).sort()
}
