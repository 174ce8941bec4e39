import { Acquisition } from '#crawl/acquisition.ts'
import { impact } from '#policy/acquire/impact.ts'
import { neediestQueries } from '#policy/acquire/paper/needy-queries.ts'
import { answersOf } from '#policy/acquire/query-answers.ts'
import type { OrderingPolicy, OrderingTask } from './ordering-policies.ts'

/** Our default at work, learning as a live crawl would. */
export const IMPACT_ORDERING: OrderingPolicy = {
  summary: 'by what searchers are expected to get, as learnt from the pages fetched',
  usesQueries: true,
  bidsInResults: true,
  begin: (task) => {
    const { state, seed, scoring } = task
    const acquisition = new Acquisition(state.frontier, state.index, sketched(task), { scoring })
    return {
      bid: (candidates, budget) => impact(acquisition.facts(state.now, seed, budget, candidates)),
      learn: (learnt) => acquisition.learn(learnt.map(({ outcome }) => outcome.id)),
    }
  },
}

/** The training queries that get a sketch: the neediest. */
function sketched({
  state,
  training,
  scoring,
  needyShare,
}: OrderingTask): OrderingTask['training'] {
  if (needyShare >= 1) return training
  const answers = answersOf(state.index, training, scoring)
  const needy = neediestQueries({ queries: training, answers }, needyShare)
  return Array.from(needy, (query) => training[query])
}
