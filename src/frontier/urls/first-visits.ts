import { GrowingColumn } from '#numeric/grow.ts'

/** Which URLs were fetched, in the order of their first fetches, and how many of each host and domain. */
export class FirstVisits {
  readonly #urls = new GrowingColumn(Uint32Array)
  readonly #ofHost = new GrowingColumn(Uint32Array)
  readonly #ofDomain = new GrowingColumn(Uint32Array)

  count(url: number, host: number, domain: number): void {
    this.#urls.push(url)
    this.#ofHost.add(host, 1)
    this.#ofDomain.add(domain, 1)
  }

  hasHost(host: number): boolean {
    return this.#ofHost.get(host) > 0
  }

  /** In the order of their first fetches. */
  urls(): Uint32Array {
    return this.#urls.view()
  }

  /** URLs of each host, and of each registrable domain; short of those with none. */
  byGroup(): { readonly byHost: Uint32Array; readonly byDomain: Uint32Array } {
    return { byHost: this.#ofHost.view(), byDomain: this.#ofDomain.view() }
  }
}
