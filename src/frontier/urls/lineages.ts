import { GrowingColumn } from '#numeric/grow.ts'

/**
 * The lineage of each host, and what it has brought. A page can link to ten thousand hosts at no
 * cost to its owner, and those to ten thousand more. So evidence is counted for the seed that
 * led to them all. A lineage is named by the number of the seed's registrable domain.
 */
export class Lineages {
  readonly #ofHost = new GrowingColumn(Uint32Array)
  /** By lineage: pages that brought content of their own, and fetches from hosts that had not answered before. */
  readonly #good = new GrowingColumn(Uint32Array)
  readonly #firstContacts = new GrowingColumn(Uint32Array)
  #allGood = 0
  #fetches = 0

  /**
   * Adds the next host number: one found by a page of another host, or one that begins a
   * lineage.
   */
  add(ownDomain: number, finderHost: number | undefined): void {
    const lineage = finderHost === undefined ? ownDomain : this.#ofHost.at(finderHost)
    this.#ofHost.push(lineage)
    this.#makeRoomFor(lineage)
  }

  /** The operator named a page of the host. */
  begin(host: number, ownDomain: number): void {
    this.#ofHost.set(host, ownDomain)
    this.#makeRoomFor(ownDomain)
  }

  get hostCount(): number {
    return this.#ofHost.length
  }

  of(host: number): number {
    return this.#ofHost.at(host)
  }

  /** A URL of the host was fetched, whatever came of it; its first contact if it had not answered before. */
  recordFetch(host: number, isFirstContact: boolean): void {
    this.#fetches++
    const lineage = this.#ofHost.at(host)
    if (isFirstContact) this.#firstContacts.set(lineage, this.#firstContacts.at(lineage) + 1)
  }

  /** A page of the host brought content of its own. */
  recordGood(host: number): void {
    const lineage = this.#ofHost.at(host)
    this.#good.set(lineage, this.#good.at(lineage) + 1)
    this.#allGood++
  }

  /**
   * First contacts that a lineage has left: its share of all fetches so far and `more`, less
   * those it had.
   */
  firstContactsLeft(lineage: number, mostShare: number, more: number): number {
    const earned = (this.#good.at(lineage) + 1) / (this.#allGood + 1)
    const share = Math.min(earned, mostShare)
    return share * (this.#fetches + more) - this.#firstContacts.at(lineage)
  }

  #makeRoomFor(lineage: number): void {
    this.#good.lengthen(lineage + 1)
    this.#firstContacts.lengthen(lineage + 1)
  }
}
