import type { WebClient } from '../client/web-client.ts'
import type { HostManners } from '../manners/host-manners.ts'

/** Finds out where hosts are reached before they take a place: others may be there already. */
export class HostLocator {
  readonly #client: WebClient
  readonly #manners: HostManners

  constructor(client: WebClient, manners: HostManners) {
    this.#client = client
    this.#manners = manners
  }

  /** True when a host's address is known, or is none of our business. */
  isLocated(host: string): boolean {
    return this.#manners.isLocated(host) || !this.#client.looksUp(host)
  }

  /** Looks a host's address up and tells the manners, if there is one. */
  async locate(host: string): Promise<void> {
    const address = await this.#client.locate(host)
    if (address !== undefined) this.#manners.locate(host, address)
  }
}
