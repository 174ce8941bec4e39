import type { ScopeTest } from '#frontier/scope.ts'
import { type CrawlState, countGains } from './cycle.ts'
import { learnFound, learnFrom } from './learn.ts'
import { costOf } from './outcome.ts'
import type { JournalEntry, Repository } from './ports.ts'

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
    state.spent += costOf(outcome)
    state.bytes += 'bytes' in outcome ? outcome.bytes : 0
    return { ...learnFrom(outcome, frontier, scope), ...planned }
  })
  const outcomes = pending.map(({ outcome }) => outcome)
  learnFound(outcomes, frontier, scope)
  const startedAt = outcomes[0].at
  const endedAt = outcomes[outcomes.length - 1].at
  const meter = state.indexer && state.tracker?.meter
  const indexed = state.indexer?.take(fetches, frontier, meter)
  const progress = state.indexer && state.tracker?.progress(state.indexer.index)
  const logged = countGains(state, fetches, meter)
  const learnt = { planned: logged.length, fetches: logged, indexed, progress }
  const record = { cycle, startedAt, endedAt, ...learnt }
  await repository.commit(record, frontier)
  state.cycle = cycle
}
