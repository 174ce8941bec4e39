export interface PlaceLimits {
  /** Requests at once to all hosts of a registrable domain. */
  readonly perDomain: number
  /** Requests at once to an address, for every DOMAINS_A_SHARE domains that share it. */
  readonly perAddress: number
}

/**
 * An address with few of our domains is one machine, and gets one request at a time. One with
 * hundreds is a CDN or a hosting farm: its places grow with the domains in hand.
 */
const DOMAINS_A_SHARE = 20

/** The places that hosts share with their registrable domain and with whoever has their address. */
export class SharedPlaces {
  readonly #limits: PlaceLimits
  /** Requests under way by group. */
  readonly #active = new Map<string, number>()
  /** Hosts in hand by domain, by the group of an address. */
  readonly #addresses = new Map<string, Map<string, number>>()

  constructor(limits: PlaceLimits) {
    this.#limits = limits
  }

  /** The first of the groups that has no place left. */
  fullOne(groups: readonly string[]): string | undefined {
    for (const group of groups) {
      const active = this.#active.get(group)
      if (active !== undefined && active >= this.#limitOf(group)) return group
    }
    return undefined
  }

  take(groups: readonly string[]): void {
    for (const group of groups) this.#active.set(group, (this.#active.get(group) ?? 0) + 1)
  }

  give(groups: readonly string[]): void {
    for (const group of groups) {
      const active = this.#active.get(group)! - 1
      if (active > 0) this.#active.set(group, active)
      else this.#active.delete(group)
    }
  }

  /** A host of the domain was found at the address. */
  moveIn(address: string, domain: string): void {
    const group = groupOf(address)
    const domains = this.#addresses.get(group) ?? new Map<string, number>()
    this.#addresses.set(group, domains)
    domains.set(domain, (domains.get(domain) ?? 0) + 1)
  }

  /** A host of the domain is no longer there, or no longer known. */
  moveOut(address: string, domain: string): void {
    const group = groupOf(address)
    const domains = this.#addresses.get(group)!
    const hosts = domains.get(domain)! - 1
    if (hosts > 0) domains.set(domain, hosts)
    else domains.delete(domain)
    if (domains.size === 0) this.#addresses.delete(group)
  }

  #limitOf(group: string): number {
    if (!group.startsWith('at ')) return this.#limits.perDomain
    const domains = this.#addresses.get(group)?.size ?? 0
    return this.#limits.perAddress * Math.max(1, Math.ceil(domains / DOMAINS_A_SHARE))
  }
}

/** The groups that a host belongs to. */
export function groupsOf(domain: string, address: string | undefined): string[] {
  return address === undefined ? [domain] : [domain, groupOf(address)]
}

/** All that is at an address. No domain's name has a space in it. */
export function groupOf(address: string): string {
  return `at ${address}`
}
