import { costOf, type FetchOutcome } from '#learn/entries/outcome.ts'
import type { Rest, RestingOrigins } from '#learn/resting-origins.ts'
import type { Clock, CycleRecord } from './ports.ts'

/** "Come back in five minutes" is worth waiting for, if nothing else is left to do; an hour is not. */
export const WAIT_SECONDS = 600

/**
 * A crawl's patience with hosts that rest, when nothing else is left to fetch. Waits in a row that bring
 * nothing add up, so that a host which asks again and again for some more is not waited for without end.
 */
export class HostWaits {
  readonly #resting: RestingOrigins
  readonly #clock: Clock
  readonly #patienceSeconds: number
  /** Whoever is free later is free too late. */
  readonly #until: number
  /** Seconds waited since the last good answer. */
  #waited = 0

  constructor(
    resting: RestingOrigins,
    clock: Clock,
    limits: { readonly waitSeconds?: number; readonly until?: number },
  ) {
    this.#resting = resting
    this.#clock = clock
    this.#patienceSeconds = limits.waitSeconds ?? WAIT_SECONDS
    this.#until = limits.until ?? Number.POSITIVE_INFINITY
  }

  /** A cycle that brought a good answer makes patient again. */
  note({ fetches }: Pick<CycleRecord, 'fetches'>): void {
    if (fetches.some(({ outcome }) => isGood(outcome))) this.#waited = 0
  }

  /**
   * After a plan that found nothing at its time: waits until the first host may be asked again, or `signal`
   * aborts. False, at once, if there is none that is worth waiting for.
   */
  async wait(
    plannedAt: number,
    signal: AbortSignal,
    onWait: (rest: Rest) => void = () => {},
  ): Promise<boolean> {
    if (!this.#clock.waitUntil) return false
    const rest = this.#resting.at(plannedAt).find(({ hasAnswered }) => hasAnswered)
    if (!rest || rest.until >= this.#until) return false
    const seconds = Math.max(0, rest.until - this.#clock.now())
    if (this.#waited + seconds > this.#patienceSeconds) return false
    this.#waited += seconds
    onWait(rest)
    await this.#clock.waitUntil(rest.until, signal)
    return true
  }
}

function isGood(outcome: FetchOutcome): boolean {
  return outcome.kind !== 'failed' && costOf(outcome) > 0
}

/** Plans of which nothing is sent are at least so far apart: one second, then twice as long each time. */
const FIRST_PAUSE_SECONDS = 1
const LONGEST_PAUSE_SECONDS = 5

/** A cycle as it went: how many were planned, and how many answers came. */
interface TurnedCycle extends Pick<CycleRecord, 'planned' | 'startedAt'> {
  readonly answers: number
}

/**
 * Keeps a crawl from planning in a hot loop: a fetcher that gives back a whole plan unsent, for whatever reason,
 * is asked again only after a pause, and not without end.
 */
export class UnsentPlans {
  readonly #clock: Clock
  readonly #patienceSeconds: number
  readonly #until: number
  /** Of plans in a row: how many, and the seconds that were waited after them. */
  #count = 0
  #waited = 0

  constructor(
    clock: Clock,
    limits: { readonly waitSeconds?: number | undefined; readonly until?: number | undefined },
  ) {
    this.#clock = clock
    this.#patienceSeconds = limits.waitSeconds ?? WAIT_SECONDS
    this.#until = limits.until ?? Number.POSITIVE_INFINITY
  }

  /** After each cycle: pauses if it sent nothing of what it planned. False when there is no point in going on. */
  async pause(
    { planned, answers, startedAt }: TurnedCycle,
    underWay: number,
    signal: AbortSignal,
  ): Promise<boolean> {
    if (planned === 0 || answers > 0 || underWay > 0) {
      this.#count = 0
      this.#waited = 0
      return true
    }
    if (!this.#clock.waitUntil || this.#waited > this.#patienceSeconds) return false
    const seconds = Math.min(FIRST_PAUSE_SECONDS * 2 ** this.#count++, LONGEST_PAUSE_SECONDS)
    const from = this.#clock.now()
    // A fetcher that took its time over it has paused already.
    await this.#clock.waitUntil(Math.min(startedAt + seconds, this.#until), signal)
    this.#waited += this.#clock.now() - from
    return true
  }
}
