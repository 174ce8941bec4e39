import { rowOf } from '#numeric/csr.ts'
import type { CandidateValues } from './candidate-values.ts'
import { unitOf } from './worth.ts'

/** A query that wants a page. */
export interface Wish {
  readonly query: number
  /** What it expects of the page: 1 is a good answer. */
  readonly expected: number
  /** What that is worth a search, in the unit of `worth`. */
  readonly value: number
}

/** Of all that is worked out about candidates: what tells who wants them. */
export interface Wanted extends Pick<CandidateValues, 'pairs' | 'pairsByUrl'> {
  readonly survey: Pick<CandidateValues['survey'], 'facts' | 'weights'>
}

/** The queries that want a candidate, the one that wants it most first. */
export function wishesFor({ survey, pairs, pairsByUrl }: Wanted, url: number): Wish[] {
  const { facts, weights } = survey
  const wishes: Wish[] = []
  for (const row of rowOf(pairsByUrl, url)) {
    const query = pairs.queries[row]
    const expected = pairs.expected[row]
    const value = weights[query] * unitOf(facts.answers, query, facts.worth) * expected
    wishes.push({ query, expected, value })
  }
  return wishes.sort((a, b) => b.value - a.value || a.query - b.query)
}
