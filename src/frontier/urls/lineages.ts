import { boundOf } from '#numeric/bound-of.ts'
import { GrowingColumn } from '#numeric/grow.ts'

/** What the hosts of each lineage come to; by lineage but for `ofHost`. */
interface Tallies {
  readonly ofHost: Uint32Array
  readonly good: Uint32Array
  readonly firstContacts: Uint32Array
}

/**
 * The lineage of each host, and what it has brought. A page can link to ten thousand hosts at no
 * cost to its owner, and those to ten thousand more. So evidence is counted for the seed that
 * led to them all. A lineage is named by the number of the seed's registrable domain.
 *
 * Counts are kept by host: a host may be named as a seed later, and whatever it led to goes with it.
 */
export class Lineages {
  readonly #domains = new GrowingColumn(Uint32Array)
  /** By host: the one that led to it, itself where a lineage begins. */
  readonly #finders = new GrowingColumn(Uint32Array)
  /** By host: pages that brought content of their own, and fetches before it first answered. */
  readonly #good = new GrowingColumn(Uint32Array)
  readonly #firstContacts = new GrowingColumn(Uint32Array)
  #allGood = 0
  #fetches = 0
  #tallies: Tallies | undefined

  /**
   * Adds the next host number: one found by a page of another host, or one that begins a
   * lineage.
   */
  add(ownDomain: number, finderHost: number = this.hostCount): void {
    this.#finders.push(finderHost)
    this.#domains.push(ownDomain)
    this.#good.push(0)
    this.#firstContacts.push(0)
    this.#tallies = undefined
  }

  /** The operator named a page of the host. */
  begin(host: number): void {
    this.#finders.set(host, host)
    this.#tallies = undefined
  }

  get hostCount(): number {
    return this.#finders.length
  }

  of(host: number): number {
    return this.#tally().ofHost[host]
  }

  /** A URL of the host was fetched, whatever came of it; its first contact if it had not answered before. */
  recordFetch(host: number, isFirstContact: boolean): void {
    this.#fetches++
    if (!isFirstContact) return
    this.#firstContacts.add(host, 1)
    this.#tallies = undefined
  }

  /** A page of the host brought content of its own. */
  recordGood(host: number): void {
    this.#good.add(host, 1)
    this.#allGood++
    this.#tallies = undefined
  }

  /** The share of all good pages that are of this host. */
  goodShareOf(host: number): number {
    return this.#allGood > 0 ? this.#good.at(host) / this.#allGood : 0
  }

  /**
   * First contacts that a lineage has left: its share of all fetches so far and `more`, less
   * those it had.
   */
  firstContactsLeft(lineage: number, mostShare: number, more: number): number {
    const { good, firstContacts } = this.#tally()
    const earned = (good[lineage] + 1) / (this.#allGood + 1)
    const share = Math.min(earned, mostShare)
    return share * (this.#fetches + more) - firstContacts[lineage]
  }

  /** Whoever leads to a host has a lower number, so one pass is enough. */
  #tally(): Tallies {
    if (this.#tallies) return this.#tallies
    const domains = this.#domains.view()
    const ofHost = new Uint32Array(this.hostCount)
    const good = new Uint32Array(boundOf(domains))
    const firstContacts = new Uint32Array(good.length)
    for (let host = 0; host < ofHost.length; host++) {
      const finder = this.#finders.at(host)
      const lineage = finder === host ? domains[host] : ofHost[finder]
      ofHost[host] = lineage
      good[lineage] += this.#good.at(host)
      // Where the operator sends us, we are no strangers.
      if (finder !== host) firstContacts[lineage] += this.#firstContacts.at(host)
    }
    this.#tallies = { ofHost, good, firstContacts }
    return this.#tallies
  }
}
