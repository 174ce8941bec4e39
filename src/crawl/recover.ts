import type { CrawlState } from './cycle.ts'
import { learnFrom } from './learn.ts'
import { costOf } from './outcome.ts'
import type { JournalEntry, Repository } from './ports.ts'

/**
 * Finishes the cycle that an earlier run was killed in: what it had fetched is learnt and committed,
 * what it had not will be planned anew.
 */
export async function recoverCycle(
  state: CrawlState,
  pending: readonly JournalEntry[],
  inScope: (url: string) => boolean,
  repository: Repository,
): Promise<void> {
  if (pending.length === 0) return
  const { cycle } = pending[0]
  const fetches = pending.map(({ outcome, purpose, predictedGain }) => {
    state.spent += costOf(outcome)
    return { ...learnFrom(outcome, state.frontier, inScope), purpose, predictedGain }
  })
  const startedAt = pending[0].outcome.at
  const endedAt = pending[pending.length - 1].outcome.at
  const record = { cycle, startedAt, endedAt, planned: fetches.length, fetches }
  await repository.commit(record, state.frontier)
  state.cycle = cycle
}
