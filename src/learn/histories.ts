import type { Frontier } from '#frontier/frontier.ts'
import { isKeptOut } from '#frontier/urls/url-states.ts'
import { GrowingColumn } from '#numeric/grow.ts'
import type { ParsedPage } from '#parse/page/page.ts'
import { ChangeHistory } from './change-history.ts'
import type { Prediction } from './corrections/corrections.ts'
import type { LoggedFetch } from './entries/learnt-fetch.ts'
import type { FetchOutcome, RenderingState } from './entries/outcome.ts'
import { GainHistory } from './gain-history.ts'
import { GoneHistory } from './gone-history.ts'
import { RenderHistory } from './renderings/render-history.ts'
import { AddressSigns } from './yields/address-signs.ts'
import { FirstYields, listKindOf } from './yields/first-yields.ts'
import { ShareBook } from './yields/share-book.ts'

export const SECONDS_A_DAY = 86_400

/** What a fetch tells about the past of its page; all of it is in the fetch log. */
export interface ObservedFetch {
  readonly url: number
  readonly at: number
  readonly kind: FetchOutcome['kind']
  /** Of a page: what it is. */
  readonly form: ParsedPage['form']
  readonly contentChanged: boolean
  readonly newUrls: number
  readonly inLinks: number
  /** NaN while no queries are tracked. */
  readonly gain: number
  /** What of it others gained by the words of its links; nothing if left out. */
  readonly anchorGain?: number
  /** The gain that was expected of it, after corrections; none if left out. */
  readonly expected?: number
  /** How often searchers saw the copy before; NaN if nobody knows. */
  readonly views: number
  /** What was predicted of the fetch before corrections. */
  readonly prediction?: Prediction
  /** How long it took, and the bytes that came; unknown if left out. */
  readonly ms?: number
  readonly bytes?: number
  /** Of a page in a crawl that renders. */
  readonly rendering?: RenderingState
}

/**
 * What the fetches of a crawl have told of its pages: how often they change or vanish, what
 * refreshing them gained, what they led to. It learns from the fetch log alone, in its order, so that a crawl taken up again knows
 * what one that never stopped knows.
 */
export class Histories {
  readonly changes = new ChangeHistory()
  readonly gains = new GainHistory()
  readonly gone = new GoneHistory()
  readonly shares = new ShareBook()
  readonly addresses = new AddressSigns()
  readonly firstYields = new FirstYields()
  readonly renderings = new RenderHistory()
  /** By URL: what its first fetch gained; NaN before, and where that was not measured. */
  readonly #firstGains = new GrowingColumn(Float32Array)
  /** By URL: the quality that its first fetch was predicted to gain; NaN without a prediction. */
  readonly #firstPredictions = new GrowingColumn(Float32Array)

  /** Takes in a fetch as the log has it; `observedFetch` gives those of a cycle that has just ended. */
  replay(fetch: ObservedFetch, frontier: Frontier): void {
    if (fetch.kind === 'failed') return
    // A frame that is rendered has not changed: it is seen for the first time.
    if (this.#observeRendering(fetch, frontier)) this.shares.remove(fetch.url)
    if (this.shares.holds(fetch.url)) this.#observeAgain(fetch, frontier)
    else if (!isKeptOut(fetch.kind)) this.#observeFirst(fetch, frontier)
  }

  /** What the first fetch of a URL gained; NaN if it was not fetched, or not measured. */
  firstGainOf(url: number): number {
    return url < this.#firstGains.length ? this.#firstGains.view()[url] : Number.NaN
  }

  /** What its first fetch was predicted to gain; NaN if it was not fetched, or nothing was predicted. */
  firstPredictionOf(url: number): number {
    return url < this.#firstPredictions.length ? this.#firstPredictions.view()[url] : Number.NaN
  }

  /** True if a held page was rendered for the first time. */
  #observeRendering(fetch: ObservedFetch, frontier: Frontier): boolean {
    const { url, kind, rendering: state, ms = 0, bytes = 0, gain, newUrls: links } = fetch
    if (kind !== 'page' || fetch.form !== 'page') return false
    const host = frontier.urls.hostNumberOf(url)
    const classNumber = frontier.classes.of(url)
    const predicted = fetch.prediction?.render ?? Number.NaN
    const seen = { url, host, classNumber, ms, bytes, state, predicted, gained: gain, links }
    return this.renderings.observe(seen) && this.shares.holds(url)
  }

  #observeFirst(fetch: ObservedFetch, frontier: Frontier): void {
    const { url, at, kind, newUrls } = fetch
    if (Number.isNaN(this.firstGainOf(url)) || fetch.rendering === 'done') {
      this.#noteFirst(fetch)
      const kind = listKindOf(url, frontier)
      const host = frontier.urls.hostNumberOf(url)
      if (kind) this.firstYields.observeList(kind, host, newUrls)
      else this.firstYields.observe(host, frontier.classes.of(url), newUrls)
    }
    if (kind !== 'page' && kind !== 'unchanged') return
    this.shares.add(url, at / SECONDS_A_DAY, frontier.urls.domains()[url])
    this.addresses.add(url, frontier.urls.urlOf(url), fetch.form)
    this.gone.noteLinks(url, fetch.inLinks)
  }

  #observeAgain(fetch: ObservedFetch, frontier: Frontier): void {
    const { url, at, kind, contentChanged, gain, views, newUrls } = fetch
    const { inLinks, anchorGain = 0 } = fetch
    const ownGain = gain - anchorGain
    const time = at / SECONDS_A_DAY
    const days = time - this.shares.lastVisitOf(url)
    const isHeld = kind === 'page' || kind === 'unchanged'
    const isShut = kind === 'denied' || isKeptOut(kind)
    const classNumber = frontier.classes.of(url)
    if (!isShut)
      this.gone.observe(url, { days, classNumber, inLinks, isGone: !isHeld, gain: ownGain, views })
    if (!isHeld) {
      this.shares.remove(url)
      this.addresses.remove(url, frontier.urls.urlOf(url))
      return
    }
    this.gone.noteLinks(url, inLinks)
    this.changes.observe(url, days, contentChanged)
    if (!Number.isNaN(gain) && !Number.isNaN(views))
      this.gains.observe(url, {
        ...{ days, changed: contentChanged, gain: ownGain, anchorGain, views, classNumber },
      })
    this.shares.record({ page: url, time, novel: newUrls })
  }

  #noteFirst({ url, gain, kind, prediction }: ObservedFetch): void {
    this.#firstGains.lengthen(url + 1, Number.NaN)
    this.#firstPredictions.lengthen(url + 1, Number.NaN)
    // What we may not have gains nothing, tracked queries or not.
    this.#firstGains.set(url, kind === 'page' ? gain : 0)
    this.#firstPredictions.set(url, prediction?.acquire ?? prediction?.render ?? Number.NaN)
  }
}

/** What a fetch of a cycle tells, as the log will have it. */
export function observedFetch(fetch: LoggedFetch): ObservedFetch {
  const { outcome, changed, contentChanged, newUrls, inLinks } = fetch
  const { realisedGain = Number.NaN, anchorGain = 0, views = Number.NaN } = fetch
  const { id, at, kind } = outcome
  // The log tells the form of new contents alone.
  const form = kind === 'page' && changed ? outcome.page.form : 'page'
  const bytes = 'bytes' in outcome ? outcome.bytes : 0
  const rendering = kind === 'page' ? outcome.rendering?.state : undefined
  return {
    ...{ url: id, at, kind, form, contentChanged, newUrls, inLinks },
    ...{ gain: realisedGain, anchorGain, expected: fetch.predictedGain, views },
    ...{ prediction: fetch.prediction, ms: outcome.ms, bytes, rendering },
  }
}
