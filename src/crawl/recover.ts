import { apply } from '#learn/apply.ts'
import type { Knowledge } from '#learn/knowledge.ts'
import type { Repository, StoredCrawl } from './ports.ts'

/**
 * Finishes the cycle that an earlier run was killed in: what it had fetched is learnt and committed,
 * what it had not will be planned anew.
 */
export async function recoverCycle(
  known: Knowledge,
  { pending, plan }: Pick<StoredCrawl, 'pending' | 'plan'>,
  repository: Repository,
): Promise<void> {
  if (pending.length === 0) return
  const { cycle } = pending[0]
  if (plan) apply(plan, known)
  for (const { cycle: _, ...fetch } of pending) apply({ kind: 'fetch', ...fetch }, known)
  const startedAt = plan?.at ?? pending[0].outcome.at
  // A fleet's answers do not come in the order of their times.
  const endedAt = pending.reduce((latest, { outcome }) => Math.max(latest, outcome.at), startedAt)
  const learnt = apply({ kind: 'end', cycle, at: endedAt }, known)
  const planned = plan?.urls.length ?? learnt.fetches.length
  const decided = { planned, price: plan?.price, plan, cutOff: true as const }
  await repository.commit({ cycle, startedAt, endedAt, ...decided, ...learnt }, known.frontier)
}
