import type { Teller, Told } from '#frontier/told.ts'
import { toldInbox } from '#repository/inbox/told-inbox.ts'

/** What waits to be taken in may be so long: a crawl that is at rest takes in nothing. */
const MOST_WAITING_BYTES = 16 * 1024 * 1024
/** URLs that one site may tell of in a day. */
const MOST_A_DAY = 10_000
const DAY_MS = 86_400_000
const MOST_SITES = 100_000

/** Leaves what was heard in a crawl's directory, as far as there is room and its site has told of less than a day's worth. */
export class HeardUrls {
  readonly #dir: string
  readonly #now: () => number
  #today = new Map<string, number>()
  #day = 0

  constructor(dir: string, now: () => number = Date.now) {
    this.#dir = dir
    this.#now = now
  }

  /** Whether a site may tell of so many more. */
  hasRoom(site: string, urls: number): boolean {
    return (
      this.#of(site) + urls <= MOST_A_DAY && toldInbox(this.#dir).waitingBytes < MOST_WAITING_BYTES
    )
  }

  tell(site: string, by: Teller, urls: readonly Omit<Told, 'by'>[]): void {
    if (urls.length === 0) return
    if (this.#today.size >= MOST_SITES) this.#today.clear()
    this.#today.set(site, this.#of(site) + urls.length)
    toldInbox(this.#dir).leave(...urls.map((one) => ({ ...one, by })))
  }

  #of(site: string): number {
    const day = Math.floor(this.#now() / DAY_MS)
    if (day !== this.#day) this.#today = new Map()
    this.#day = day
    return this.#today.get(site) ?? 0
  }
}
