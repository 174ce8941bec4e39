import type {
  FetcherMemory,
  FetchRequest,
  HostState,
  HostTrust,
  RobotsRecord,
} from '#crawl/ports.ts'
import { hostOf } from '#parse/url/canonical-url.ts'
import type { Segment } from './segment.ts'
import { shiftedMemory } from './shifted-times.ts'

/** What a planner knows of hosts from what its workers tell, on its own clock. */
export class FleetMemory {
  readonly #states = new Map<string, HostState>()
  readonly #trusts = new Map<string, HostTrust>()
  readonly #robots = new Map<string, RobotsRecord>()
  readonly #paces = new Map<string, number>()
  readonly #addresses = new Map<string, string>()

  constructor(before: Partial<FetcherMemory>) {
    this.#take(before)
  }

  /** The leases' clock is behind the planner's by so many seconds. */
  learn({ memory, forgotten, paces, addresses }: Segment, behindSeconds: number): void {
    this.#take(shiftedMemory(memory, behindSeconds))
    for (const host of forgotten) this.#states.delete(host)
    for (const [host, pace] of Object.entries(paces)) this.#paces.set(host, pace)
    for (const [domain, address] of Object.entries(addresses)) this.#addresses.set(domain, address)
  }

  /** What whoever asks these hosts should know. */
  of(requests: readonly FetchRequest[]): Partial<FetcherMemory> {
    const hosts = new Set(requests.map(({ url }) => hostOf(url)))
    const origins = new Set(requests.map(({ url }) => new URL(url).origin))
    return {
      hostStates: known(hosts, this.#states),
      hostTrusts: known(hosts, this.#trusts),
      robotsRecords: known(origins, this.#robots),
    }
  }

  paceOf(host: string): number | undefined {
    return this.#paces.get(host)
  }

  addressOf(domain: string): string | undefined {
    return this.#addresses.get(domain)
  }

  /** Domains by the address where they were last found. */
  domainsByAddress(): Map<string, number> {
    const counts = new Map<string, number>()
    for (const address of this.#addresses.values())
      counts.set(address, (counts.get(address) ?? 0) + 1)
    return counts
  }

  all(robotsSince = 0): FetcherMemory {
    return {
      hostStates: [...this.#states.values()],
      hostTrusts: [...this.#trusts.values()],
      robotsRecords: [...this.#robots.values()].filter(({ fetchedAt }) => fetchedAt >= robotsSince),
    }
  }

  #take({ hostStates = [], hostTrusts = [], robotsRecords = [] }: Partial<FetcherMemory>): void {
    for (const state of hostStates) this.#states.set(state.host, state)
    for (const trust of hostTrusts) this.#trusts.set(trust.host, trust)
    for (const record of robotsRecords) {
      const before = this.#robots.get(record.origin)
      if (!before || before.fetchedAt <= record.fetchedAt) this.#robots.set(record.origin, record)
    }
  }
}

function known<T>(names: Iterable<string>, all: ReadonlyMap<string, T>): T[] {
  return [...names].flatMap((name) => all.get(name) ?? [])
}
