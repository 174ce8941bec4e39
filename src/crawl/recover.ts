import type { ScopeTest } from '#frontier/scope.ts'
import type { CrawlState } from './cycle.ts'
import { learnFrom } from './learn.ts'
import { learnFound } from './learn-links.ts'
import { releaseDuplicates } from './originals.ts'
import type { JournalEntry, Repository } from './ports.ts'
import { pay, settle } from './settle.ts'

/**
 * Finishes the cycle that an earlier run was killed in: what it had fetched is learnt and committed,
 * what it had not will be planned anew.
 */
export async function recoverCycle(
  state: CrawlState,
  pending: readonly JournalEntry[],
  scope: ScopeTest,
  repository: Repository,
): Promise<void> {
  if (pending.length === 0) return
  const { cycle } = pending[0]
  const { frontier } = state
  const fetches = pending.map(({ outcome, cycle: _, ...planned }) => {
    pay(state, outcome)
    return { ...learnFrom(outcome, frontier, scope), ...planned }
  })
  const outcomes = pending.map(({ outcome }) => outcome)
  learnFound(outcomes, frontier, scope)
  releaseDuplicates(fetches, frontier)
  const startedAt = outcomes[0].at
  const endedAt = outcomes[outcomes.length - 1].at
  const record = { cycle, startedAt, endedAt, planned: fetches.length, ...settle(state, fetches) }
  await repository.commit(record, frontier)
  state.cycle = cycle
}
