import { systemLookup } from './system-lookup.ts'

/** All addresses of a host name, in the order they should be tried; throws when there are none. */
export type Lookup = (host: string) => Promise<readonly string[]>

interface DnsCacheOptions {
  readonly lookup?: Lookup
  /** Seconds on any clock that does not run backwards. */
  readonly now?: () => number
}

const GOOD_SECONDS = 60
/** A failure may be a moment's, and must not cost a look-up for every URL of the host. */
const BAD_SECONDS = 10
const MAX_HOSTS = 20_000
/** More are a trap, or one name for a farm of which any will do. */
const MAX_ADDRESSES = 8

interface Entry {
  readonly addresses: Promise<readonly string[]>
  validUntil: number
  /** The address that worked last. */
  preferred?: string
}

/** Host names to addresses: one look-up a host and minute, shared by all who ask meanwhile. */
export class DnsCache {
  readonly #lookup: Lookup
  readonly #now: () => number
  readonly #entries = new Map<string, Entry>()

  constructor({
    lookup = systemLookup,
    now = () => performance.now() / 1000,
  }: DnsCacheOptions = {}) {
    this.#lookup = lookup
    this.#now = now
  }

  /** A host's addresses, the one that worked last first; rejects as the look-up did. */
  async addressesOf(host: string): Promise<readonly string[]> {
    const entry = this.#fresh(host) ?? this.#load(host)
    const addresses = await entry.addresses
    const { preferred } = entry
    if (preferred === undefined || !addresses.includes(preferred)) return addresses
    return [preferred, ...addresses.filter((address) => address !== preferred)]
  }

  /** Remembers which of a host's addresses answered. */
  prefer(host: string, address: string): void {
    const entry = this.#entries.get(host)
    if (entry) entry.preferred = address
  }

  #fresh(host: string): Entry | undefined {
    const entry = this.#entries.get(host)
    return entry && entry.validUntil > this.#now() ? entry : undefined
  }

  #load(host: string): Entry {
    const preferred = this.#entries.get(host)?.preferred
    const addresses = this.#lookup(host).then((all) => [...new Set(all)].slice(0, MAX_ADDRESSES))
    // While a look-up is under way, whoever asks waits for it; but not for ever.
    const entry: Entry = {
      addresses,
      validUntil: this.#now() + GOOD_SECONDS,
      ...(preferred !== undefined && { preferred }),
    }
    addresses.then(
      () => {
        entry.validUntil = this.#now() + GOOD_SECONDS
      },
      () => {
        entry.validUntil = this.#now() + BAD_SECONDS
      },
    )
    this.#entries.delete(host)
    this.#entries.set(host, entry)
    if (this.#entries.size > MAX_HOSTS) this.#forgetOldest()
    return entry
  }

  #forgetOldest(): void {
    for (const host of this.#entries.keys()) {
      this.#entries.delete(host)
      return
    }
  }
}
