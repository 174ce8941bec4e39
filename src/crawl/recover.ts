import type { ScopeTest } from '#frontier/scope.ts'
import type { CrawlState } from './cycle.ts'
import { learnInOrder } from './learn-in-order.ts'
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
  const outcomes = pending.map(({ outcome }) => outcome)
  for (const outcome of outcomes) pay(state, outcome)
  const finished = pending.map(({ cycle: _, ...fetch }) => fetch)
  const fetches = learnInOrder(finished, frontier, scope)
  const startedAt = outcomes[0].at
  const endedAt = outcomes[outcomes.length - 1].at
  const record = { cycle, startedAt, endedAt, planned: fetches.length, ...settle(state, fetches) }
  await repository.commit(record, frontier)
  state.cycle = cycle
}
