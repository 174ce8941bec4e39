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
