import { AddressPlaces } from '../../bounds/address-places.ts'
import type { Bounds } from '../../bounds/bounds.ts'
import { ByteLedger } from '../../bounds/byte-ledger.ts'
import { SendAllowance } from '../../bounds/send-allowance.ts'

/** Until when a worker may count on its leases, by a clock of its own that only goes forwards. */
export class LeaseTime {
  readonly #now: () => number
  #until = Number.NEGATIVE_INFINITY

  constructor(now: () => number) {
    this.#now = now
  }

  /** Leases were asked for, or renewed, at that time, for so long. */
  renew(askedAt: number, seconds: number): void {
    this.#until = askedAt + seconds
  }

  get secondsLeft(): number {
    return this.#until - this.#now()
  }
}

/** What a worker of a fleet keeps to, in place of what threads share: nothing is sent unless its leases hold. */
export interface LeasedBounds extends Bounds {
  readonly addresses: LeasedPlaces
}

export function leasedBounds(mayAsk: () => boolean, now: () => number): LeasedBounds {
  return {
    workers: 1,
    allowance: new LeasedAllowance(mayAsk),
    ledger: new ByteLedger(),
    addresses: new LeasedPlaces(mayAsk, now),
  }
}

class LeasedAllowance extends SendAllowance {
  readonly #mayAsk: () => boolean

  constructor(mayAsk: () => boolean) {
    super()
    this.#mayAsk = mayAsk
  }

  override get left(): number {
    return this.#mayAsk() ? super.left : 0
  }

  override take(): boolean {
    return this.#mayAsk() && super.take()
  }
}

/** An address that nothing was sent to for so long is left to others. */
const UNUSED_SECONDS = 0.2

/**
 * Places at addresses: a worker must have one there before it asks anybody, and then its own manners share it among its
 * domains. One place is one request at a time, however many domains it has there: others count theirs.
 */
class LeasedPlaces extends AddressPlaces {
  readonly #mayAsk: () => boolean
  readonly #now: () => number
  /** Where it has a place, when it last used it, and for how many requests it does now. */
  readonly #present = new Map<string, { usedAt: number; active: number }>()
  readonly #wanted = new Set<string>()
  #onFree: (address: string) => void = () => {}

  constructor(mayAsk: () => boolean, now: () => number) {
    super()
    this.#mayAsk = mayAsk
    this.#now = now
  }

  override whenFree(onFree: (address: string) => void): void {
    this.#onFree = onFree
  }

  override take(address: string, limit: (domains: number) => number): boolean {
    const present = this.#present.get(address)
    this.want(address)
    if (!present || !this.#mayAsk() || !super.take(address, () => limit(1))) return false
    present.usedAt = this.#now()
    present.active++
    return true
  }

  override isFull(address: string, limit: (domains: number) => number): boolean {
    if (this.#present.has(address)) return super.isFull(address, () => limit(1))
    this.want(address)
    return true
  }

  override give(address: string): void {
    super.give(address)
    const present = this.#present.get(address)
    if (!present) return
    present.usedAt = this.#now()
    present.active--
  }

  /** Where it has a place. */
  get at(): readonly string[] {
    return [...this.#present.keys()]
  }

  /** Where somebody waits to be let in. */
  get wanted(): readonly string[] {
    return [...this.#wanted]
  }

  /** The worker has a place at these from now on. */
  arrive(addresses: readonly string[]): void {
    for (const address of addresses) {
      this.#wanted.delete(address)
      if (this.#present.has(address)) continue
      this.#present.set(address, { usedAt: this.#now(), active: 0 })
      this.#onFree(address)
    }
  }

  leaveUnused(isNeeded: (address: string) => boolean, all: boolean): void {
    const before = this.#now() - UNUSED_SECONDS
    for (const [address, { usedAt, active }] of this.#present)
      if (active === 0 && (all || (usedAt < before && !isNeeded(address))))
        this.#present.delete(address)
  }

  /** Nobody here waits there any more. */
  wantNoMore(address: string): void {
    this.#wanted.delete(address)
  }

  /** Somebody is about to wait there, or does. */
  want(address: string): void {
    if (!this.#present.has(address)) this.#wanted.add(address)
  }
}
