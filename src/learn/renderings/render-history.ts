import { GrowingColumn } from '#numeric/grow.ts'
import type { RenderingState } from '../entries/outcome.ts'
import { RenderCosts } from './render-costs.ts'
import { type RenderForecast, RenderGains } from './render-gains.ts'

/** A page that was fetched, rendered or not. */
interface SeenPage {
  readonly url: number
  readonly host: number
  readonly classNumber: number
  readonly ms: number
  readonly bytes: number
  readonly state?: RenderingState
  /** What the page was predicted to be worth once rendered; NaN if nothing was. */
  readonly predicted: number
  readonly gained: number
  readonly links: number
}

type Sign = 'thin' | 'shell'

/** A host's share counts as so many pages of a class. */
const TRUST_IN_HOST = 2
/** And that nothing needs scripts as so many pages of a host. */
const TRUST_IN_NONE = 4

/** Before any was seen, a page is thought to show so many new links; that counts as so many pages. */
const FIRST_LINKS = 6
const TRUST_IN_FIRST = 4
/** The last so many pages of a host tell. */
const RECENT_PAGES = 40

/** Pages that need their scripts, by sign. */
interface Signs {
  thin: number
  shell: number
}

/** How many pages there were of each group, and how many of them need their scripts: few groups have such. */
class SignShares {
  readonly #pages = new GrowingColumn(Uint32Array)
  readonly #signs = new Map<number, Signs>()

  count(group: number, sign: Sign | undefined): void {
    this.#pages.put(group, this.#pages.get(group) + 1)
    if (sign === undefined) return
    const signs = this.#signs.get(group) ?? { thin: 0, shell: 0 }
    this.#signs.set(group, signs)
    signs[sign]++
  }

  hasSigns(group: number): boolean {
    return this.#signs.has(group)
  }

  of(group: number): Readonly<Signs> & { readonly pages: number } {
    return { ...(this.#signs.get(group) ?? { thin: 0, shell: 0 }), pages: this.#pages.get(group) }
  }
}

/** What a crawl has learnt of pages that need their scripts: what rendering them costs and brings, and where they are. */
export class RenderHistory {
  readonly costs = new RenderCosts()
  readonly #gains = new RenderGains()
  /** By host: the new links that a page without need of scripts showed of late, less those of the first guess. */
  readonly #links = new GrowingColumn(Float32Array)
  /** By URL: the sign by which it awaits rendering. */
  readonly #signs = new Map<number, Sign>()
  readonly #byHost = new SignShares()
  readonly #byClass = new SignShares()

  /** Takes in a page; true if this was its first rendering. */
  observe(page: SeenPage): boolean {
    const { url, host } = page
    const state = page.state === 'unasked' ? 'shell' : page.state
    const isRendered = state === 'done' || state === 'fruitless' || state === 'failed'
    // Most hosts have no such pages: what fetches cost is not kept of each.
    const isWatched = state !== undefined || this.#byHost.hasSigns(host)
    this.costs.observe(isWatched ? host : undefined, page, isRendered)
    if (!isRendered) {
      this.#count(page, state)
      if (state) this.#signs.set(url, state)
      else {
        this.#signs.delete(url)
        this.#noteLinks(page)
      }
      return false
    }
    const sign = this.#signs.get(url)
    const { classNumber, predicted } = page
    if (sign === undefined && Number.isNaN(predicted)) return false // a copy fetched again
    this.#signs.delete(url)
    const isGood = state === 'done'
    // Of a page that was rendered at once, a plain fetch would have brought what was predicted.
    const beyond = sign === undefined ? page.gained - predicted : page.gained
    const gained = isGood ? beyond : 0
    this.#gains.observe(sign ?? 'shell', { host, classNumber }, { ...page, predicted, gained })
    if (sign === undefined) this.#count(page, isGood ? 'shell' : undefined)
    return isGood
  }

  /** What is expected of the rendering of a page that shows a sign. */
  forecast(sign: Sign, host: number, classNumber: number): RenderForecast {
    return this.#gains.of(sign, host, classNumber, FIRST_LINKS + this.#links.get(host))
  }

  /** The chance that a page of a class needs its scripts, by each sign. */
  chanceOf(host: number, classNumber: number): Readonly<Record<Sign, number>> {
    if (!this.#byHost.hasSigns(host)) return { thin: 0, shell: 0 }
    const [ofHost, ofClass] = [this.#byHost.of(host), this.#byClass.of(classNumber)]
    const chance = (sign: Sign) => {
      const usual = ofHost[sign] / (ofHost.pages + TRUST_IN_NONE)
      return (TRUST_IN_HOST * usual + ofClass[sign]) / (TRUST_IN_HOST + ofClass.pages)
    }
    return { thin: chance('thin'), shell: chance('shell') }
  }

  /** Links get rarer while a host becomes known, whether scripts show them or not. */
  #noteLinks({ host, links }: SeenPage): void {
    const before = this.#links.get(host)
    const pages = Math.min(RECENT_PAGES, this.#byHost.of(host).pages)
    this.#links.put(host, before + (links - FIRST_LINKS - before) / (TRUST_IN_FIRST + pages))
  }

  #count({ host, classNumber }: SeenPage, sign: Sign | undefined): void {
    this.#byHost.count(host, sign)
    this.#byClass.count(classNumber, sign)
  }
}
