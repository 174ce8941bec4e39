import { WAIT_SECONDS } from './host-waits.ts'
import type { Clock, CycleRecord } from './ports.ts'

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
