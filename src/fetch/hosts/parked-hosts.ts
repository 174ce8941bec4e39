import type { HostManners } from '../manners/host-manners.ts'
import type { HostQueue } from '../manners/host-queue.ts'
import { Turns } from '../manners/turns.ts'

interface ParkedHostsOptions {
  readonly manners: HostManners
  /** Tells another worker that a group has a place for it; left out where there is none. */
  readonly nudge?: (worker: number, group: string) => void
  /** The host may try again. */
  readonly goOn: (host: HostQueue) => void
  /** Some were woken that nobody gave a place to. */
  readonly sendMore: () => void
}

/** So often those are looked after who wait for places that other workers may have given back. */
const LOOK_AFTER_MS = 1_000

/** Hosts that wait until their domain or address has a free place. */
export class ParkedHosts {
  readonly #options: ParkedHostsOptions
  readonly #parked = new Map<string, Turns<HostQueue>>()
  #timer: NodeJS.Timeout | undefined

  constructor(options: ParkedHostsOptions) {
    this.#options = options
  }

  /** Who was woken for nothing waits on at the head of the others. */
  park(host: HostQueue, group: string, isFirst: boolean): void {
    const parked = this.#parked.get(group) ?? new Turns<HostQueue>()
    this.#parked.set(group, parked)
    if (isFirst) parked.putBack(host)
    else parked.push(host)
    const { manners, nudge } = this.#options
    if (!nudge) return
    manners.wait(group, true)
    // Another worker may have given a place back before it could know of us.
    if (manners.hasPlaceIn(group)) this.wake(group)
    this.#lookAfter()
  }

  /** A place was given back: other workers that wait for one go first, by turns. */
  passOn(group: string): void {
    if (!this.#nudgeOthers(group)) this.wake(group)
  }

  /** One place is free, so one goes on: to wake all that wait would cost more the more there are. */
  wake(group: string): void {
    const { manners, goOn } = this.#options
    const parked = this.#parked.get(group)
    const host = parked?.take()
    if (!parked || parked.size === 0) {
      this.#parked.delete(group)
      manners.wait(group, false)
    }
    if (!host) {
      this.#nudgeOthers(group)
      return
    }
    host.wokenFor = group
    goOn(host)
  }

  #nudgeOthers(group: string): boolean {
    const { manners, nudge } = this.#options
    const worker = nudge && manners.nextWaiting(group)
    if (worker === undefined) return false
    nudge!(worker, group)
    return true
  }

  /** Looks now and then after those who wait for other workers: one of these may have ended amid its requests. */
  #lookAfter(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      for (const group of [...this.#parked.keys()])
        if (this.#options.manners.hasPlaceIn(group)) this.wake(group)
      if (this.#parked.size > 0) this.#lookAfter()
      this.#options.sendMore()
    }, LOOK_AFTER_MS).unref()
  }
}
