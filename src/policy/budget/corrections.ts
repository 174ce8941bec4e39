import { boundOf } from '#numeric/bound-of.ts'
import type { Bids } from '../bids.ts'
import { Calibration } from './calibration.ts'
import type { Estimates } from './one-budget.ts'
import { corrected, type ExpectedLinks } from './one-currency.ts'

/** What a fetch was thought to bring before any correction. */
export interface Thought {
  /** Quality of a new page. */
  readonly acquire?: number
  /** Quality that a copy would gain. */
  readonly refresh?: number
  /** New links. */
  readonly links?: number
}

/** What it brought. */
export interface Brought {
  /** Undefined if it was not measured. */
  readonly quality: number | undefined
  readonly links: number
}

type Exempt = { readonly acquire?: boolean; readonly refresh?: boolean }

/**
 * What past fetches teach about estimates: each task's are corrected by what its earlier ones came to.
 */
export class Corrections {
  readonly calibrations = {
    acquire: new Calibration(),
    refresh: new Calibration(),
    /** New links of copies fetched again, and of pages fetched for the first time: quite another matter. */
    links: new Calibration(),
    firstLinks: new Calibration(),
  }
  readonly #classOf: (url: number) => number
  readonly #isExempt: Exempt

  /** Tasks whose bids need none, as they are known or not in quality, may be left alone. */
  constructor(classOf: (url: number) => number, isExempt: Exempt = {}) {
    this.#classOf = classOf
    this.#isExempt = isExempt
  }

  acquire(bids: Bids): Bids {
    return this.#corrected('acquire', bids)
  }

  refresh(bids: Bids): Bids {
    return this.#corrected('refresh', bids)
  }

  links(some: ExpectedLinks): ExpectedLinks {
    const { urls, links, isFirst } = some
    const calibration = isFirst ? this.calibrations.firstLinks : this.calibrations.links
    return {
      ...some,
      links: links.map((count, i) => calibration.correct(this.#classOf(urls[i]), count)),
    }
  }

  /** The quality that a fetch was thought to gain, corrected as a bid for it would be now. */
  rethought(task: 'acquire' | 'refresh', url: number, thought: number): number {
    if (this.#isExempt[task]) return thought
    return this.calibrations[task].correct(this.#classOf(url), thought)
  }

  /** A fetch came out. */
  observe(url: number, thought: Thought, { quality, links }: Brought): void {
    const classNumber = this.#classOf(url)
    const { acquire, refresh, links: ofCopies, firstLinks } = this.calibrations
    if (quality !== undefined && thought.acquire !== undefined)
      acquire.observe(classNumber, thought.acquire, quality)
    if (quality !== undefined && thought.refresh !== undefined)
      refresh.observe(classNumber, thought.refresh, quality)
    const ofLinks = thought.acquire === undefined ? ofCopies : firstLinks
    if (thought.links !== undefined) ofLinks.observe(classNumber, thought.links, links)
  }

  #corrected(task: 'acquire' | 'refresh', bids: Bids): Bids {
    if (this.#isExempt[task]) return bids
    return corrected(bids, (url, value) => this.rethought(task, url, value))
  }
}

/** What estimates say of each of some URLs, before any correction. */
export function thoughtsOf(
  { acquire, refresh, links }: Pick<Estimates, 'acquire' | 'refresh' | 'links'>,
  urls: ArrayLike<number>,
): Thought[] {
  const places = new Uint32Array(boundOf(urls)) // by URL: its place plus 1
  for (let place = 0; place < urls.length; place++) places[urls[place]] = place + 1
  const thoughts = Array.from(urls, (): { -readonly [task in keyof Thought]: number } => ({}))
  const note = (task: keyof Thought, from: Uint32Array, values: Float64Array) => {
    for (let i = 0; i < from.length; i++)
      if (places[from[i]] > 0) thoughts[places[from[i]] - 1][task] = values[i]
  }
  note('acquire', acquire.urls, acquire.expected ?? acquire.gains)
  note('refresh', refresh.urls, refresh.expected ?? refresh.gains)
  for (const some of links) note('links', some.urls, some.links)
  return thoughts
}
