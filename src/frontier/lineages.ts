import { GrowingColumn } from '#numeric/grow.ts'

/**
 * Which seed each host descends from, and what that seed has brought. A page can link to ten thousand hosts at no
 * cost to its owner, and those to ten thousand more: what they are worth is known of the seed that led to them all.
 * A lineage is named by the number of the seed's registrable domain.
 */
export class Lineages {
  readonly #ofHost = new GrowingColumn(Uint32Array)
  /** By lineage: pages that brought content of their own. */
  readonly #good = new GrowingColumn(Uint32Array)
  #allGood = 0

  /** Takes up the next host number: one that a page of another host told of, or that begins a lineage itself. */
  add(ownDomain: number, finderHost: number | undefined): void {
    this.#ofHost.push(finderHost === undefined ? ownDomain : this.#ofHost.at(finderHost))
  }

  /** The operator named a page of the host. */
  begin(host: number, ownDomain: number): void {
    this.#ofHost.set(host, ownDomain)
  }

  get hostCount(): number {
    return this.#ofHost.length
  }

  of(host: number): number {
    return this.#ofHost.at(host)
  }

  /** A page of the host brought content of its own. */
  recordGood(host: number): void {
    const lineage = this.#ofHost.at(host)
    this.#good.lengthen(lineage + 1)
    this.#good.set(lineage, this.#good.at(lineage) + 1)
    this.#allGood++
  }

  /** A lineage's share of all good pages; before there are any, each has all. */
  shareOf(lineage: number): number {
    const good = lineage < this.#good.length ? this.#good.at(lineage) : 0
    return (good + 1) / (this.#allGood + 1)
  }
}
