import { costOf, type FetchOutcome, tellsGain } from '#learn/entries/outcome.ts'
import type { CrawlState } from './cycle.ts'
import { observedFetch } from './observed-fetch.ts'
import type { CycleRecord, LoggedFetch } from './ports.ts'
import { gainsAfter } from './until-gain.ts'

/** Enters what a fetch cost, once it is sure to be kept. */
export function pay(state: CrawlState, outcome: FetchOutcome): void {
  state.spent += costOf(outcome)
  state.bytes += 'bytes' in outcome ? outcome.bytes : 0
}

/** Brings the index and the count of gains in step with what a cycle learnt; gives what the log is to have of it. */
export function settle<F extends LoggedFetch>(
  state: CrawlState,
  fetches: readonly F[],
): Pick<CycleRecord, 'indexed' | 'progress'> & {
  readonly fetches: (F & { readonly realisedGain?: number })[]
} {
  const { indexer, tracker, frontier, lessons } = state
  const meter = indexer && tracker?.meter
  const indexed = indexer?.take(fetches, frontier, meter)
  const progress = indexer && tracker?.progress(indexer.index)
  const gainOf = (url: number) => (meter ? { realisedGain: meter.gainOf(url) } : {})
  const measured = fetches.map((fetch) => ({ ...fetch, ...gainOf(fetch.outcome.id) }))
  countGains(state, measured)
  for (const fetch of measured) lessons.learn(observedFetch(fetch))
  return { fetches: measured, indexed, progress }
}

/** Enters what fetches were worth, where that was measured and their outcomes tell; the others gained nothing. */
export function countGains(
  state: Pick<CrawlState, 'gains'>,
  fetches: readonly Pick<LoggedFetch, 'outcome' | 'realisedGain'>[],
): void {
  const gains = fetches.flatMap(({ outcome, realisedGain }) =>
    realisedGain !== undefined && tellsGain(outcome) ? [realisedGain] : [],
  )
  const gain = gains.reduce((sum, one) => sum + one, 0)
  const squares = gains.reduce((sum, one) => sum + one ** 2, 0)
  state.gains = gainsAfter(state.gains, { fetches: gains.length, gain, squares })
}
