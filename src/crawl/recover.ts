import { apply } from '#learn/apply.ts'
import type { Knowledge } from '#learn/knowledge.ts'
import type { JournalEntry, Repository } from './ports.ts'

/**
 * Finishes the cycle that an earlier run was killed in: what it had fetched is learnt and committed,
 * what it had not will be planned anew.
 */
export async function recoverCycle(
  known: Knowledge,
  pending: readonly JournalEntry[],
  repository: Repository,
): Promise<void> {
  if (pending.length === 0) return
  const { cycle } = pending[0]
  for (const { cycle: _, ...fetch } of pending) apply({ kind: 'fetch', ...fetch }, known)
  const startedAt = pending[0].outcome.at
  const endedAt = pending[pending.length - 1].outcome.at
  const learnt = apply({ kind: 'end', cycle, at: endedAt }, known)
  const record = { cycle, startedAt, endedAt, planned: learnt.fetches.length, ...learnt }
  await repository.commit(record, known.frontier)
}
