import type { FetchOutcome } from '#learn/entries/outcome.ts'
import type { Rest } from '#learn/resting-origins.ts'
import { type CrawlRules, type CrawlState, runCycle } from './cycle.ts'
import { HostWaits } from './host-waits.ts'
import type { CycleRecord, Ports } from './ports.ts'
import { UnsentPlans } from './unsent-plans.ts'

/** When a crawl stops, and how often it plans anew: one ledger, and whatever runs out first ends it. */
export interface CrawlLimits {
  /** Fetches in all, earlier runs included. */
  readonly budget: number
  /** Bytes of bodies in all, earlier runs included. */
  readonly bytes?: number
  /** When to stop; seconds since 1970. */
  readonly until?: number
  /** Fetches a cycle; by default a tenth of what has been fetched. */
  readonly batch?: number
  /** How long to wait in a row for hosts that rest, when nothing else is left; ten minutes. */
  readonly waitSeconds?: number
}

/** Why a crawl ended. */
export type CrawlEnd =
  | 'budget spent'
  | 'byte budget spent'
  | 'time is up'
  | 'nothing left to fetch'
  | 'little left to gain'
  | 'stopped'

/** Once told to stop, a crawl waits no longer than this for what is under way. */
export const STOP_SECONDS = 1.2
const SMALLEST_BATCH = 50
const LARGEST_BATCH = 2_000

/** Who hears what happens: of every outcome and cycle, and when a host that rests is waited for. */
export interface CrawlListener {
  readonly outcome?: (outcome: FetchOutcome) => void
  readonly cycle?: (record: CycleRecord) => void
  readonly wait?: (rest: Rest) => void
}

/** Turns the wheel until something runs out, nothing is left, or somebody says stop. */
export async function crawl(
  state: CrawlState,
  rules: CrawlRules,
  ports: Ports,
  limits: CrawlLimits,
  signal: AbortSignal,
  on: CrawlListener = {},
): Promise<CrawlEnd> {
  const waits = new HostWaits(state.resting, ports.clock, limits)
  const unsent = new UnsentPlans(ports.clock, limits)
  signal.addEventListener('abort', () => ports.fetcher.endWithin?.(STOP_SECONDS), { once: true })
  while (!signal.aborted) {
    const end = ranOut(state, limits, ports)
    if (end && state.underWay.size === 0) return end
    const left = end ? 0 : limits.budget - state.spent - state.underWay.size
    const ahead = limits.batch ?? batchSize(state.spent)
    const batch = Math.min(left, ahead)
    const budget = { budget: batch, affords: left, ahead }
    const record = await runCycle(state, rules, ports, budget, signal, on.outcome)
    on.cycle?.(record)
    if (record.left && state.underWay.size === 0) return 'little left to gain'
    waits.note(record)
    if (signal.aborted) break
    const nothingLeft = () => ranOut(state, limits, ports) ?? 'nothing left to fetch'
    if (!(await unsent.pause(record, state.underWay.size, signal))) return nothingLeft()
    if (batch <= 0 || record.planned > 0 || state.underWay.size > 0) continue
    if (!(await waits.wait(record.startedAt, signal, on.wait))) return nothingLeft()
  }
  // What is still under way was sent, and is to be paid for.
  if (state.underWay.size > 0)
    on.cycle?.(await runCycle(state, rules, ports, { budget: 0 }, signal, on.outcome))
  return 'stopped'
}

function ranOut(
  state: CrawlState,
  limits: CrawlLimits,
  { clock, fetcher }: Ports,
): CrawlEnd | undefined {
  if (state.spent >= limits.budget) return 'budget spent'
  const mostBytes = limits.bytes ?? Number.POSITIVE_INFINITY
  if (state.bytes >= mostBytes || fetcher.isOutOfBytes?.()) return 'byte budget spent'
  if (clock.now() >= (limits.until ?? Number.POSITIVE_INFINITY)) return 'time is up'
  return undefined
}

/** Plans anew after every tenth more pages: often while little is known, seldom when planning is dear. */
export function batchSize(spent: number): number {
  return Math.max(SMALLEST_BATCH, Math.min(LARGEST_BATCH, Math.ceil(spent / 10)))
}
