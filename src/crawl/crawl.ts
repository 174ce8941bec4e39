import type { FetchOutcome } from '#learn/entries/outcome.ts'
import type { Rest } from '#learn/resting-origins.ts'
import { requestFor, runCycle, type Turn } from './cycle.ts'
import { HostWaits, UnsentPlans } from './host-waits.ts'
import { endSending } from './page-caps.ts'
import type { CrawlRules, CrawlState } from './plan-cycle.ts'
import { type CycleRecord, EMPTY_BOARD, type Fetcher, inFlightCost, type Ports } from './ports.ts'

/** When a crawl stops, and how often it plans anew: one ledger, and whatever runs out first ends it. */
export interface CrawlLimits {
  /** Fetches in all, earlier runs included. */
  readonly budget: number
  /** Bytes of bodies in all, earlier runs included. */
  readonly bytes?: number
  /** When to stop; seconds since 1970. */
  readonly until?: number
  /** Plans anew after so many answers; by default after a tenth of what has been fetched. */
  readonly batch?: number
  /** How long to wait in a row for hosts that rest, when nothing else is left; ten minutes. */
  readonly waitSeconds?: number
  /** Plans have so many at least, unless `batch` says otherwise: those of a fleet come and go by way of others. */
  readonly leastBatch?: number
  /** What a cycle may hold of pages, where it is not the usual: fewer, longer cycles cost less, and take more memory. */
  readonly mostHeldBytes?: number
  /** How many times as many may be sent, where it is not the usual: who takes requests for a while beforehand wants more. */
  readonly sendsAhead?: number
  /** Of answers that have come, the next plan knows after so many seconds, or later. */
  readonly newsSeconds?: number
  /** In place of the budget: for a crawl that goes on for good. */
  readonly pace?: Pace
}

/** What a crawl may send as time goes on, and what it does when it has nothing to do. */
export interface Pace {
  /** Fetches in all that may be sent by now, after so many were paid for. */
  budget(spent: number): number
  /** Of a rate, which has no end: prices are made for so many fetches to come by now. */
  readonly affords?: number
  /** Waits until there may be something to do again. False if this is an end. */
  wait(end: CrawlEnd, signal: AbortSignal): Promise<boolean>
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

/** A plan allows so many times the sends after whose answers the next one is due: no host that rests waits for a plan. */
const SENDS_AHEAD = 2
/** The same where hosts need no rest: all that is allowed is sent before the next plan, which would know better. */
const SENDS_AHEAD_AT_ONCE = 1.25
/** A host that takes longer than this from request to request may keep others waiting for its part of a plan. */
const AT_ONCE_SECONDS = 0.05
/** The board holds so many times what may be sent of it: any host that is free finds its best there. */
const RESERVE = 8
const SMALLEST_RESERVE = 1_000
/** News count after so many seconds, or so many times as long as committing a cycle took. */
const NEWS_SECONDS = 2
const NEWS_COMMITS = 20

/** Who hears what happens: of every outcome and cycle, and when a host that rests is waited for. */
export interface CrawlListener {
  readonly outcome?: (outcome: FetchOutcome) => void
  readonly cycle?: (record: CycleRecord) => void
  /** Nobody here holds the pages of a cycle any more: a good time to collect garbage. */
  readonly letGo?: () => void
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
  const { fetcher, clock } = ports
  const waits = new HostWaits(state.resting, clock, limits)
  const unsent = new UnsentPlans(clock, limits)
  const stop = () => {
    fetcher.post(EMPTY_BOARD)
    fetcher.endWithin?.(STOP_SECONDS)
  }
  signal.addEventListener('abort', stop, { once: true })
  let commitSeconds = 0
  const turnOnce = async (turn: Turn) => {
    const record = await runCycle(state, rules, ports, turn, on.outcome)
    commitSeconds = clock.now() - record.endedAt
    on.cycle?.(record)
    waits.note(record)
    // Not the record: whoever waits for the next cycle would hold the pages of this one meanwhile.
    const { planned, startedAt, enough, fetches } = record
    return { planned, startedAt, enough, answers: fetches.length }
  }
  const goesOn = async (end: CrawlEnd) => (await limits.pace?.wait(end, signal)) ?? false
  if (!signal.aborted && !ranOut(state, limits, ports)) await postBoardLeft(state, ports, limits)
  while (!signal.aborted) {
    const end = ranOut(state, limits, ports)
    if (end) await endSending(fetcher)
    const inFlight = inFlightCost(fetcher)
    if (end && inFlight === 0) {
      if (await goesOn(end)) continue
      return end
    }
    const left = end ? 0 : Math.max(0, budgetOf(limits, state, fetcher) - state.spent - inFlight)
    const turn = turnOf(state.spent, left, limits, fetcher, commitSeconds)
    const turned = await turnOnce({ ...turn, hostTakes: hostTakesOf(limits, ports) })
    on.letGo?.()
    const isIdle = fetcher.inFlight().length === 0
    if (signal.aborted) break
    const isOver = async () => {
      if (turned.enough && isIdle) return true
      if (!(await unsent.pause(turned, fetcher.inFlight().length, signal))) return true
      const hasCome = turned.answers > 0 // and may have brought something to plan
      if (left <= 0 || turned.planned > 0 || hasCome || !isIdle) return false
      return !(await waits.wait(turned.startedAt, signal, on.wait))
    }
    if (!(await isOver())) continue
    const nothingLeft = () => ranOut(state, limits, ports) ?? 'nothing left to fetch'
    const why = turned.enough ? 'little left to gain' : nothingLeft()
    if (!(await goesOn(why))) return why
  }
  await endSending(fetcher)
  while (fetcher.inFlight().length > 0)
    await turnOnce({ budget: 0, sends: 0, answers: LARGEST_BATCH })
  return 'stopped'
}

/**
 * While a further run makes its first plan, hosts are kept busy with what the last one left on its board. Seeds that
 * wait come before it in any plan, so their part of the budget is left to them.
 */
async function postBoardLeft(
  { frontier, spent }: CrawlState,
  { fetcher, repository, clock }: Ports,
  limits: CrawlLimits,
): Promise<void> {
  const board = (await repository.boardLeft?.()) ?? []
  const urls = board.filter((url) => frontier.stateOf(url) === 'known')
  const seeds = frontier.unfetchedSeeds(clock.now())
  // A fleet has gone on meanwhile.
  const gone = spent + inFlightCost(fetcher)
  const left = budgetOf(limits, { spent }, fetcher) - gone - seeds.length
  const { sends = 0 } = turnOf(spent, left, limits, fetcher)
  if (urls.length === 0 || sends <= 0) return
  const requests = urls.map((url, place) => requestFor(frontier, url, urls.length - place))
  fetcher.post({ requests, sends })
}

/** What a fleet has lost was paid for. */
function budgetOf(
  { budget, pace }: CrawlLimits,
  { spent }: Pick<CrawlState, 'spent'>,
  fetcher: Fetcher,
): number {
  const lost = fetcher.lost?.() ?? 0
  return pace ? pace.budget(spent + lost) - lost : budget - lost
}

/** The next turn of the wheel: how much is planned, how much may be sent, and when the next is due. */
function turnOf(
  spent: number,
  left: number,
  {
    batch,
    pace,
    leastBatch = 0,
    sendsAhead = SENDS_AHEAD,
    newsSeconds = NEWS_SECONDS,
    mostHeldBytes,
  }: CrawlLimits,
  fetcher: Fetcher,
  commitSeconds = 0,
): Turn {
  const ahead = batch ?? Math.max(batchSize(spent), leastBatch)
  const budget = Math.min(left, ahead)
  const rests = usualPaceOf(fetcher) > AT_ONCE_SECONDS
  const aheadBy = rests ? sendsAhead : SENDS_AHEAD_AT_ONCE
  const sends = Math.min(left, Math.ceil(aheadBy * ahead))
  // Hosts that need no rest would have taken all sends with it before those of the list had answered once.
  const reserve = rests ? Math.max(SMALLEST_RESERVE, RESERVE * ahead) : sends - budget
  const usual = { sends, affords: left, reserve }
  // What a rate does not allow today must not go before what is better: nothing is sent beside the list.
  const affords = Math.max(budget, pace?.affords ?? 0)
  const isRate = pace?.affords !== undefined
  const byRate = isRate && left <= sends && { sends: budget, affords, reserve: 0 }
  return {
    ...{ budget, ahead, answers: ahead, ...usual, ...byRate },
    hasMore: left > sends,
    mostHeldBytes,
    newsSeconds: Math.max(newsSeconds, NEWS_COMMITS * commitSeconds),
  }
}

/** Seconds between two requests to a host of which nothing is known. */
function usualPaceOf(fetcher: Fetcher): number {
  return fetcher.paceOf?.('') ?? 0
}

/** How many requests a host can take until the crawl must end, at the usual pace. */
function hostTakesOf({ until }: CrawlLimits, { clock, fetcher }: Ports): number | undefined {
  const pace = usualPaceOf(fetcher)
  if (until === undefined || pace <= 0) return undefined
  return Math.max(1, Math.floor((until - clock.now()) / pace))
}

function ranOut(
  state: CrawlState,
  limits: CrawlLimits,
  { clock, fetcher }: Ports,
): CrawlEnd | undefined {
  if (state.spent >= budgetOf(limits, state, fetcher)) return 'budget spent'
  const mostBytes = limits.bytes ?? Number.POSITIVE_INFINITY
  if (state.bytes >= mostBytes || fetcher.isOutOfBytes?.()) return 'byte budget spent'
  if (clock.now() >= (limits.until ?? Number.POSITIVE_INFINITY)) return 'time is up'
  return undefined
}

/** Plans anew after every tenth more pages: often while little is known, seldom when planning is dear. */
export function batchSize(spent: number): number {
  return Math.max(SMALLEST_BATCH, Math.min(LARGEST_BATCH, Math.ceil(spent / 10)))
}
