import { rowOf } from '#numeric/csr.ts'
import type { CandidateValues } from './candidate-values.ts'

/** What a query expects of a page that is not fetched yet. */
export interface QueryDemand {
  readonly query: number
  /** What it expects of the page: 1 is a good answer. */
  readonly expected: number
  /** What that is worth a search, in good answers. */
  readonly value: number
}

/** Of all that is worked out about candidates: what tells which queries want them. */
export interface DemandedPages extends Pick<CandidateValues, 'pairs' | 'pairsByUrl'> {
  readonly survey: Pick<CandidateValues['survey'], 'facts' | 'weights'>
}

/** The queries that want a candidate, the one that wants it most first. */
export function queryDemandsFor(
  { survey, pairs, pairsByUrl }: DemandedPages,
  url: number,
): QueryDemand[] {
  const demands: QueryDemand[] = []
  for (const row of rowOf(pairsByUrl, url)) {
    const query = pairs.queries[row]
    const expected = pairs.expected[row]
    demands.push({ query, expected, value: survey.weights[query] * expected })
  }
  return demands.sort((a, b) => b.value - a.value || a.query - b.query)
}
