import type { Frontier } from '#frontier/frontier.ts'
import { RegimeWatch } from './alarms/regime-watch.ts'
import { Corrections } from './corrections/corrections.ts'
import { tellsGain } from './entries/outcome.ts'
import { GainsSoFar } from './gains-so-far.ts'
import { Histories, type ObservedFetch, SECONDS_A_DAY } from './histories.ts'
import { listKindOf } from './yields/first-yields.ts'

/** Fetches of less time than this say nothing about how many there are a day. */
const LEAST_DAYS = 1 / 24

/**
 * What the fetches of a crawl have taught: of its pages, about predictions, about classes of URLs that behave
 * unlike before, and how fast the crawl goes. It learns from the fetch log alone, in its order.
 */
export class Lessons {
  readonly frontier: Frontier
  readonly histories: Histories
  /** What past fetches teach about predictions. */
  readonly corrections: Corrections
  readonly watch = new RegimeWatch()
  /** What was gained, and expected. */
  readonly gains = new GainsSoFar()
  #fetches = 0
  #since = Number.POSITIVE_INFINITY

  constructor(frontier: Frontier, histories = new Histories()) {
    this.frontier = frontier
    this.histories = histories
    this.corrections = new Corrections(
      (url) => frontier.classes.of(url),
      (url) => listKindOf(url, frontier) !== undefined,
    )
  }

  /** Takes up one fetch of the log. */
  learn(fetch: ObservedFetch): void {
    const { histories, frontier, corrections, watch } = this
    const { url, at, kind, gain, newUrls, expected = 0, prediction = {} } = fetch
    this.#fetches++
    this.#since = Math.min(this.#since, at)
    const wasHeld = histories.shares.holds(url)
    histories.replay(fetch, frontier)
    if (!tellsGain(fetch)) return // nothing came that could be compared with predictions
    if (!Number.isNaN(gain)) this.gains.learn({ expected, gain, newUrls })
    corrections.observe(url, prediction, {
      quality: Number.isNaN(gain) ? undefined : gain,
      links: newUrls,
    })
    if (!wasHeld) return
    const classNumber = frontier.classes.of(url)
    const isGone = kind === 'gone'
    watch.observe({ classNumber, isGone, expectedLinks: prediction.links, links: newUrls, at })
  }

  /** How many fetches it has learnt from. */
  get fetches(): number {
    return this.#fetches
  }

  /** How many fetches a day there have been, by then. */
  fetchesPerDay(now: number): number {
    return this.#fetches / Math.max(LEAST_DAYS, (now - this.#since) / SECONDS_A_DAY)
  }
}
