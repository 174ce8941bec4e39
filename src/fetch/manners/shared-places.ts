import type { AddressPlaces } from '../bounds/address-places.ts'

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
  /** Requests under way by domain. */
  readonly #active = new Map<string, number>()
  readonly #addresses: AddressPlaces
  /** Hosts in hand by domain, by address. */
  readonly #domains = new Map<string, Map<string, number>>()
  readonly #limitAt: (domains: number) => number

  constructor(limits: PlaceLimits, addresses: AddressPlaces) {
    this.#limits = limits
    this.#addresses = addresses
    this.#limitAt = (domains) =>
      limits.perAddress * Math.max(1, Math.ceil(domains / DOMAINS_A_SHARE))
  }

  /** The first of the groups that has no place left. */
  fullOne(groups: readonly string[]): string | undefined {
    return groups.find((group) => this.#isFull(group))
  }

  /** Takes a place in each of the groups; false, and none is taken, if an address has none left. */
  take(groups: readonly string[]): boolean {
    const address = groups.map(addressOf).find((each) => each !== undefined)
    if (address !== undefined && this.#isLimited && !this.#addresses.take(address, this.#limitAt))
      return false
    for (const group of groups)
      if (addressOf(group) === undefined)
        this.#active.set(group, (this.#active.get(group) ?? 0) + 1)
    return true
  }

  give(groups: readonly string[]): void {
    for (const group of groups) {
      const address = addressOf(group)
      if (address !== undefined) {
        if (this.#isLimited) this.#addresses.give(address)
        continue
      }
      const active = this.#active.get(group)! - 1
      if (active > 0) this.#active.set(group, active)
      else this.#active.delete(group)
    }
  }

  /** A host of the domain was found at the address. */
  moveIn(address: string, domain: string): void {
    const domains = this.#domains.get(address) ?? new Map<string, number>()
    this.#domains.set(address, domains)
    const hosts = domains.get(domain) ?? 0
    domains.set(domain, hosts + 1)
    if (hosts === 0 && this.#isLimited) this.#addresses.moveIn(address)
  }

  /** A host of the domain is no longer there, or no longer known. */
  moveOut(address: string, domain: string): void {
    const domains = this.#domains.get(address)!
    const hosts = domains.get(domain)! - 1
    if (hosts > 0) domains.set(domain, hosts)
    else {
      domains.delete(domain)
      if (this.#isLimited) this.#addresses.moveOut(address)
    }
    if (domains.size === 0) this.#domains.delete(address)
  }

  /** Whether somebody here waits for a place of the group: other workers may have all of an address's. */
  wait(group: string, isWaiting: boolean): void {
    const address = addressOf(group)
    if (address !== undefined) this.#addresses.wait(address, isWaiting)
  }

  /** The next of the other workers that wait for a place of the group. */
  nextWaiting(group: string): number | undefined {
    const address = addressOf(group)
    return address === undefined ? undefined : this.#addresses.nextWaiting(address)
  }

  /** False when there are places for all: then nobody counts them. */
  get #isLimited(): boolean {
    return this.#limits.perAddress < Number.POSITIVE_INFINITY
  }

  #isFull(group: string): boolean {
    const address = addressOf(group)
    if (address === undefined) return (this.#active.get(group) ?? 0) >= this.#limits.perDomain
    return this.#isLimited && this.#addresses.isFull(address, this.#limitAt)
  }
}

/** The groups that a host belongs to. */
export function groupsOf(domain: string, address: string | undefined): string[] {
  return address === undefined ? [domain] : [domain, groupOf(address)]
}

/** All that is at an address. No domain's name has a space in it. */
export function groupOf(address: string): string {
  return `${AT}${address}`
}

const AT = 'at '

/** The address that a group is of; none if it is a domain's. */
function addressOf(group: string): string | undefined {
  return group.startsWith(AT) ? group.slice(AT.length) : undefined
}
