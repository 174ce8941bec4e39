import type { Discoveries } from './discoveries.ts'

/** As browsers and other crawlers do; what lies behind longer chains is seldom a page. */
export const MOST_HOPS = 10

/** How URLs that nothing but redirects told of were come by: a server can send us on for ever. */
export class RedirectChains {
  readonly #discoveries: Discoveries
  /** By such a URL: the redirect that leads there, of several the one with the least number. */
  readonly #before = new Map<number, number>()

  constructor(discoveries: Discoveries) {
    this.#discoveries = discoveries
  }

  note(redirect: number, target: number): void {
    if (this.#discoveries.sourceOf(target) !== 'redirect') return
    const before = this.#before.get(target) ?? redirect
    this.#before.set(target, Math.min(before, redirect))
  }

  /** Redirects in a row that led to a URL, counted as far as it matters. */
  hopsTo(url: number): number {
    let hops = 0
    for (let at = this.#before.get(url); at !== undefined; at = this.#before.get(at))
      if (++hops === MOST_HOPS) break
    return hops
  }
}
