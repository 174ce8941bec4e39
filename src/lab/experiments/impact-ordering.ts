import { Acquisition } from '#policy/facts/query-knowledge.ts'
import { sketchedQueries } from '#policy/facts/sketched-queries.ts'
import { impact } from '#policy/acquire/impact.ts'
import type { OrderingPolicy } from './ordering-policies.ts'

/** Our default at work, learning as a live crawl would. */
export const IMPACT_ORDERING: OrderingPolicy = {
  summary: 'by what searchers are expected to get, as learnt from the pages fetched',
  usesQueries: true,
  bidsInQuality: true,
  begin: ({ state, training, seed, scoring, needyShare }) => {
    const { sketched, lessons } = sketchedQueries(training, needyShare)
    const acquisition = new Acquisition(state.frontier, state.index, sketched, { scoring, lessons })
    return {
      bid: (candidates, budget) => impact(acquisition.facts(state.now, seed, budget, candidates)),
    }
  },
}
