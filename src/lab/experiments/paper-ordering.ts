import { Acquisition } from '#policy/facts/query-knowledge.ts'
import { PaperLessons } from '#policy/acquire/paper/paper-model.ts'
import { PAPER_POLICIES, paperPolicy } from '#policy/acquire/paper/paper-policies.ts'
import type { OrderingPolicy } from './ordering-policies.ts'

/** A policy of Pandey and Olston at work, learning as a live crawl would. */
function paperOrdering(name: string): OrderingPolicy {
  const { summary, options } = PAPER_POLICIES[name]
  return {
    summary,
    usesQueries: true,
    begin: ({ state, training, seed, needyShare, scoring }) => {
      const acquisition = new Acquisition(state.frontier, state.index, training, {
        scoring,
        learns: false,
      })
      const lessons = new PaperLessons(state.index, scoring, options.rule)
      const policy = paperPolicy({ ...options, needyShare })
      return {
        bid: (candidates, budget) => {
          const facts = acquisition.facts(state.now, seed, budget, candidates)
          return policy(lessons.taught(facts))
        },
      }
    },
  }
}

/** Their policies by name. */
export const PAPER_ORDERINGS: Readonly<Record<string, OrderingPolicy>> = Object.fromEntries(
  Object.keys(PAPER_POLICIES).map((name) => [name, paperOrdering(name)]),
)
