import { hostOf } from '#parse/url/canonical-url.ts'
import type { HeldBatch } from './held-batch.ts'

type AddressOf = (host: string) => string | undefined

/** All that a worker has leased. */
export class HeldBatches {
  readonly #held = new Set<HeldBatch>()
  readonly #byRequest = new Map<number, HeldBatch>()

  /** Domains: of some it has the next batch as well. */
  get size(): number {
    return new Set(Array.from(this.#held, ({ lease }) => lease.domain)).size
  }

  [Symbol.iterator](): Iterator<HeldBatch> {
    return this.#held.values()
  }

  has(batch: HeldBatch): boolean {
    return this.#held.has(batch)
  }

  hasDomain(domain: string): boolean {
    return this.#held.values().some(({ lease }) => lease.domain === domain)
  }

  add(batch: HeldBatch): void {
    this.#held.add(batch)
    for (const { id } of batch.requests) this.#byRequest.set(id, batch)
  }

  drop(batch: HeldBatch): void {
    this.#held.delete(batch)
    for (const { id } of batch.requests)
      if (this.#byRequest.get(id) === batch) this.#byRequest.delete(id)
  }

  /** The batch that an answered request is of, once. */
  take(id: number): HeldBatch | undefined {
    const batch = this.#byRequest.get(id)
    this.#byRequest.delete(id)
    return batch
  }

  /** How many domains can send nothing before the next report. */
  get idle(): number {
    const isIdle = ({ isDry, isOver, leavesFor }: HeldBatch) => isDry || isOver || leavesFor
    const busy = [...this.#held].filter((batch) => !isIdle(batch))
    return this.size - new Set(busy.map(({ lease }) => lease.domain)).size
  }

  /** Domains where it is done within so many seconds, and within how many: it may have the next batch, too. */
  ahead(seconds: number): ReadonlyMap<string, number> {
    const byDomain = Map.groupBy(this.#held, ({ lease }) => lease.domain)
    const busy = new Map<string, number>()
    for (const [domain, batches] of byDomain) {
      const left = batches.reduce((sum, it) => sum + it.left * it.lease.restSeconds, 0)
      if (left <= seconds && !batches.some(({ leavesFor }) => leavesFor)) busy.set(domain, left)
    }
    return busy
  }

  /** Where the hosts are that are next. */
  addresses(addressOf: AddressOf): ReadonlySet<string> {
    return new Set(Array.from(this.#located(addressOf), ([, address]) => address))
  }

  /** Batches whose next host is at one of these, and of which nothing is under way. */
  at(
    addresses: ReadonlySet<string>,
    addressOf: AddressOf,
    inFlight: readonly number[],
  ): (readonly [HeldBatch, string])[] {
    const underWay = new Set(inFlight)
    return [...this.#located(addressOf)].filter(
      ([batch, address]) =>
        addresses.has(address) && !batch.requests.some(({ id }) => underWay.has(id)),
    )
  }

  *#located(addressOf: AddressOf): Generator<readonly [HeldBatch, string]> {
    for (const batch of this.#held) {
      const [next] = batch.sendable
      const address = next && addressOf(hostOf(next.url))
      if (address !== undefined) yield [batch, address]
    }
  }
}
