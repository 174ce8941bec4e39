import type { GraphFacts } from '#frontier/graph-facts.ts'
import type { FactName, Facts } from '#policy/facts/facts.ts'

/** What selections are made by: the links among URLs, and their addresses. */
export type SelectionFacts = GraphFacts & Partial<Pick<Facts, 'addresses' | 'now'>>

/** What bidders may need that are to select pages. */
export const SELECTION_FACTS: readonly FactName[] = [
  ...(['candidates', 'links', 'depths', 'hosts', 'domains', 'visits', 'addresses'] as const),
]
