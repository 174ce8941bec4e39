import { hash32 } from '#numeric/hash.ts'
import { registrableDomain } from '#parse/url/registrable-domain.ts'

/** The owners of more hosts than this are worked out again. */
const MOST_HOSTS = 100_000

/** Which worker has a host: all hosts of a registrable domain are with one, and everybody knows with whom. */
export class DomainOwners {
  readonly #workers: number
  readonly #owners = new Map<string, number>()

  constructor(workers: number) {
    this.#workers = workers
  }

  ownerOf(host: string): number {
    if (this.#workers === 1) return 0
    const known = this.#owners.get(host)
    if (known !== undefined) return known
    const owner = hash32(registrableDomain(host)) % this.#workers
    if (this.#owners.size >= MOST_HOSTS) this.#owners.clear()
    this.#owners.set(host, owner)
    return owner
  }
}
