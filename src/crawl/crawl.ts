import { type CrawlRules, type CrawlState, runCycle } from './cycle.ts'
import type { FetchOutcome } from './outcome.ts'
import type { CycleRecord, Ports } from './ports.ts'

/** When a crawl stops, and how often it plans anew. */
export interface CrawlLimits {
  /** Fetches in all, earlier runs included. */
  readonly budget: number
  /** Fetches a cycle; by default a tenth of what has been fetched. */
  readonly batch?: number
}

/** Why a crawl ended. */
export type CrawlEnd = 'budget spent' | 'nothing left to fetch' | 'stopped'

const SMALLEST_BATCH = 50
const LARGEST_BATCH = 2_000

/** Turns the wheel until the budget is spent, nothing is left, or somebody says stop. */
export async function crawl(
  state: CrawlState,
  rules: CrawlRules,
  ports: Ports,
  limits: CrawlLimits,
  signal: AbortSignal,
  on: { outcome?: (outcome: FetchOutcome) => void; cycle?: (record: CycleRecord) => void } = {},
): Promise<CrawlEnd> {
  while (!signal.aborted) {
    const left = limits.budget - state.spent
    if (left <= 0) return 'budget spent'
    const batch = Math.min(left, limits.batch ?? batchSize(state.spent))
    const record = await runCycle(state, rules, ports, batch, signal, on.outcome)
    on.cycle?.(record)
    if (record.planned === 0) return 'nothing left to fetch'
  }
  return 'stopped'
}

/** Plans anew after every tenth more pages: often while little is known, seldom when planning is dear. */
export function batchSize(spent: number): number {
  return Math.max(SMALLEST_BATCH, Math.min(LARGEST_BATCH, Math.ceil(spent / 10)))
}
