import type { Frontier } from '#frontier/frontier.ts'
import type { ScopeTest } from '#frontier/scope.ts'
import type { FetchOutcome } from '#learn/entries/outcome.ts'
import { type Learnt, learnFrom } from './learn.ts'
import { learnFound } from './learn-links.ts'
import { releaseDuplicates } from './originals.ts'

/** Learns a cycle whose outcomes are all there, in their order; gives each with what it taught. */
export function learnInOrder<Fetch extends { readonly outcome: FetchOutcome }>(
  fetches: readonly Fetch[],
  frontier: Frontier,
  scope: ScopeTest,
): (Fetch & Learnt)[] {
  const learnt = fetches.map((fetch) => ({
    ...fetch,
    ...learnFrom(fetch.outcome, frontier, scope),
  }))
  learnFound(
    fetches.map(({ outcome }) => outcome),
    frontier,
    scope,
  )
  releaseDuplicates(learnt, frontier)
  return learnt
}
