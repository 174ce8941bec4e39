import { averageTopScore, fitImprovability, priorImprovability } from '#workload/improvability.ts'
import { findNeedyQueries } from '#workload/needy.ts'
import type { QueryFacts } from '../../facts/query-facts.ts'
import { heldScores } from './query-impact.ts'

/** What tells the needy queries from the others. */
export type NeedFacts = Pick<QueryFacts, 'queries' | 'answers' | 'needyShare' | 'progress' | 'topK'>

/** The numbers of the neediest queries, ascending: only these get sketches. */
export function neediestQueries({
  queries,
  answers,
  needyShare,
  progress,
  topK,
}: NeedFacts): Uint32Array {
  const all = Uint32Array.from(queries.keys())
  if (needyShare >= 1) return all
  const scores = Array.from(all, (query) => averageTopScore([...heldScores(answers, query)], topK))
  const improvability = fitImprovability(progress, topK) ?? priorImprovability(scores, topK)
  const numbered = queries.map((query, number) => ({ ...query, id: String(number), number }))
  const needy = findNeedyQueries(numbered, scores, improvability, needyShare)
  return Uint32Array.from(needy, ({ query }) => query.number).sort()
}
