import { DamagedFileError } from '../damage.ts'
import type { KeptLog, LogHead } from './kept-log.ts'

/** Changes after which a plan is as good as it was. */
const SAYS_NO_NEWS: ReadonlySet<LogHead['kind']> = new Set(['cycle', 'run', 'searches'])

/**
 * What the latest plan of a log posted, best first; the last turns of a run plan nothing. Empty if settings, queries
 * or the clock changed since: the next plan will be another one. A damaged entry is for `forager check` to tell of, and posts nothing.
 */
export async function boardLeft(log: KeptLog): Promise<readonly number[]> {
  for (const number of log.numbers().entries.toReversed()) {
    const head = await log.head(number).catch(nothingIfDamaged)
    if (!head || !SAYS_NO_NEWS.has(head.kind)) return []
    if (head.kind !== 'cycle') continue
    const { plan } = head
    if (plan?.budget !== 0) return [...(plan?.urls ?? []), ...(plan?.reserved ?? [])]
  }
  return []
}

function nothingIfDamaged(error: unknown): undefined {
  if (!(error instanceof DamagedFileError)) throw error
}
