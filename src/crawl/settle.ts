import { costOf, type FetchOutcome } from '#learn/entries/outcome.ts'
import type { CrawlState } from './cycle.ts'
import type { Learnt } from './learn.ts'
import type { CycleRecord } from './ports.ts'
import { gainsAfter, tellsGain } from './until-gain.ts'

/** Enters what a fetch cost, once it is sure to be kept. */
export function pay(state: CrawlState, outcome: FetchOutcome): void {
  state.spent += costOf(outcome)
  state.bytes += 'bytes' in outcome ? outcome.bytes : 0
}

/** Brings the index and the count of gains in step with what a cycle learnt; gives what the log is to have of it. */
export function settle<F extends Learnt>(
  state: CrawlState,
  fetches: readonly F[],
): Pick<CycleRecord, 'indexed' | 'progress'> & {
  readonly fetches: (F & { readonly realisedGain?: number })[]
} {
  const { indexer, tracker, frontier } = state
  const meter = indexer && tracker?.meter
  const indexed = indexer?.take(fetches, frontier, meter)
  const progress = indexer && tracker?.progress(indexer.index)
  if (!meter) return { fetches: [...fetches], indexed, progress }
  const measured = fetches.map((fetch) => ({
    ...fetch,
    realisedGain: meter.gainOf(fetch.outcome.id),
  }))
  countGains(state, measured)
  return { fetches: measured, indexed, progress }
}

/** Enters what fetches were worth, as far as their outcomes tell; the others gained nothing. */
export function countGains(
  state: Pick<CrawlState, 'gains'>,
  measured: readonly { readonly outcome: FetchOutcome; readonly realisedGain: number }[],
): void {
  const telling = measured.filter(({ outcome }) => tellsGain(outcome))
  const gain = telling.reduce((sum, { realisedGain }) => sum + realisedGain, 0)
  const squares = telling.reduce((sum, { realisedGain }) => sum + realisedGain ** 2, 0)
  state.gains = gainsAfter(state.gains, { fetches: telling.length, gain, squares })
}
