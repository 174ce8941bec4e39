import { registrableDomain } from '#parse/url/registrable-domain.ts'

/** Requests that all pages together may send to a site that is not theirs: so many at once, and so many a second after. */
const BURST = 100
const PER_SECOND = 5
/** One that says it is too busy is left alone for so long, if it does not say for how long. */
const REST_SECONDS = 60
const MOST_REST_SECONDS = 3_600
const MOST_SITES = 10_000

interface Allowance {
  left: number
  at: number
}

/**
 * Keeps scripts from sending a crawl at somebody: what they ask of their own site is part of the visit, after which it
 * rests. Sites of others get no more of all pages than a few readers would send.
 */
export class ForeignSites {
  readonly #sites = new Map<string, Allowance>()
  /** In seconds, of a clock that never goes back. */
  readonly #now: () => number

  constructor(now: () => number = () => performance.now() / 1000) {
    this.#now = now
  }

  /** Whether a page may ask for something now; if so, it counts. */
  admits(url: string, page: string): boolean {
    const site = siteOf(url)
    if (site === siteOf(page)) return true
    const now = this.#now()
    const before = this.#sites.get(site) ?? { left: BURST, at: now }
    const left = Math.min(BURST, before.left + Math.max(0, now - before.at) * PER_SECOND)
    const isFine = left >= 1 && before.at <= now
    this.#put(site, { left: isFine ? left - 1 : left, at: Math.max(now, before.at) })
    return isFine
  }

  /** It said that it is too busy, perhaps for how long. */
  rest(url: string, seconds = REST_SECONDS): void {
    const until = this.#now() + Math.min(seconds, MOST_REST_SECONDS)
    this.#put(siteOf(url), { left: PER_SECOND, at: until })
  }

  #put(site: string, allowance: Allowance): void {
    this.#sites.delete(site)
    this.#sites.set(site, allowance)
    if (this.#sites.size > MOST_SITES) this.#sites.delete(this.#sites.keys().next().value!)
  }
}

function siteOf(url: string): string {
  return registrableDomain(new URL(url).hostname)
}
