import { GrowingColumn } from '#numeric/grow.ts'
import type { Hashes64 } from '#numeric/hash.ts'
import { StringTable } from '#numeric/string-table.ts'
import { hostOf } from '#parse/url/canonical-url.ts'
import { registrableDomain } from '#parse/url/registrable-domain.ts'

/**
 * Every URL ever heard of, with its host and registrable domain, as small integers. Numbers are
 * given in the order of discovery and never change: strings stop at this door.
 */
export class UrlTable {
  readonly #urls = new StringTable()
  readonly #hosts = new StringTable()
  readonly #domains = new StringTable()
  readonly #hostOfUrl = new GrowingColumn(Uint32Array)
  readonly #domainOfUrl = new GrowingColumn(Uint32Array)
  readonly #domainOfHost = new GrowingColumn(Uint32Array)

  get size(): number {
    return this.#urls.size
  }

  /** The URL's number, a new one if it was not known. */
  add(url: string): number {
    const number = this.#urls.add(url)
    if (number === this.#hostOfUrl.length) {
      const host = this.#hostNumber(hostOf(url))
      this.#hostOfUrl.push(host)
      this.#domainOfUrl.push(this.#domainOfHost.at(host))
    }
    return number
  }

  /** Takes up stored hosts, in the order of their numbers, with their registrable domains. */
  restoreHosts(names: readonly string[], domains: readonly string[]): void {
    this.#hosts.addDistinct(names)
    for (const domain of domains) this.#domainOfHost.push(this.#domains.add(domain))
  }

  /** Takes up stored URLs, in the order of their numbers, with the numbers of their hosts. */
  restore(urls: readonly string[], hosts: ArrayLike<number>): void {
    this.#urls.addDistinct(urls)
    const domainOfHost = this.#domainOfHost.view()
    this.#hostOfUrl.append(hosts)
    this.#domainOfUrl.append(Uint32Array.from(hosts, (host) => domainOfHost[host]))
  }

  find(url: string): number | undefined {
    return this.#urls.find(url)
  }

  urlOf(url: number): string {
    return this.#urls.at(url)
  }

  /** The two halves of every URL's 64-bit hash: its identity across machines. */
  hashes(): Hashes64 {
    return this.#urls.hashes()
  }

  hostName(host: number): string {
    return this.#hosts.at(host)
  }

  domainName(host: number): string {
    return this.#domains.at(this.#domainOfHost.at(host))
  }

  hostNumberOf(url: number): number {
    return this.#hostOfUrl.at(url)
  }

  /** Host number of every URL. */
  hosts(): Uint32Array {
    return this.#hostOfUrl.view()
  }

  /** Registrable-domain number of every URL. */
  domains(): Uint32Array {
    return this.#domainOfUrl.view()
  }

  get hostCount(): number {
    return this.#hosts.size
  }

  #hostNumber(host: string): number {
    const number = this.#hosts.add(host)
    if (number === this.#domainOfHost.length)
      this.#domainOfHost.push(this.#domains.add(registrableDomain(host)))
    return number
  }
}
