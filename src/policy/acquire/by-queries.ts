import type { Bidder } from '../bidder.ts'
import type { Bids } from '../bids.ts'
import type { AcquisitionFacts } from '../facts/acquisition-facts.ts'
import type { FactName, Facts } from '../facts/facts.ts'
import type { QueryFacts } from '../facts/query-facts.ts'
import { byPageRank } from '../orders/link-orders.ts'

/** Bids by synthetic queries count as much as those by a log of so many: a first search must not decide all. */
const TRUST_WITHOUT_LOG = 10

/** What bidders by queries read. */
export const QUERY_NEEDS: readonly FactName[] = [
  ...(['candidates', 'links', 'depths', 'hosts', 'domains', 'visits'] as const),
  ...(['sections', 'addressLengths', 'asked', 'synthetic'] as const),
]

/**
 * A bidder for new pages that goes by queries: those of the log; without one by synthetic queries, and by PageRank as
 * long as there are none of those either. Beside a small log, synthetic queries have their say too.
 */
export function byQueries(
  described: Omit<Bidder, 'task' | 'bids'>,
  bidsBy: (facts: Facts, asked: QueryFacts) => Bids,
): Bidder {
  return {
    ...described,
    task: 'acquire',
    bids: (facts) => {
      const { asked, synthetic } = facts
      if (asked === undefined)
        return synthetic === undefined ? byPageRank.bids(facts) : bidsBy(facts, synthetic)
      const bids = bidsBy(facts, asked)
      if (synthetic === undefined) return bids
      const others = bidsBy(facts, synthetic)
      const trust = trustInLog(asked)
      const gains = bids.gains.map((gain, i) => trust * gain + (1 - trust) * others.gains[i])
      return { ...bids, gains }
    },
  }
}

/** The share that a log has in bids where synthetic queries have the rest. */
export function trustInLog({ queries }: Pick<QueryFacts, 'queries'>): number {
  return queries.length / (queries.length + TRUST_WITHOUT_LOG)
}

/** What they go by before anything is learnt; of what was fetched by then, and how queries were answered. */
export function factsBefore(
  facts: Facts,
  asked: Pick<QueryFacts, 'queries' | 'words'>,
  { visits, answers }: Pick<AcquisitionFacts, 'visits' | 'answers'>,
): AcquisitionFacts {
  const { candidates, links, depths, hosts, domains, seed } = facts
  return {
    ...{ candidates, links, depths, hosts, domains, visits, seed },
    sections: facts.sections,
    addressLengths: facts.addressLengths,
    budget: facts.budget,
    queries: asked.queries,
    answers,
    words: asked.words,
    model: undefined,
  }
}
