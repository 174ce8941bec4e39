import { ExactSum } from '#numeric/exact-sum.ts'
import { GrowingColumn } from '#numeric/grow.ts'
import { type ExactPart, exactPart, type Totals } from '#numeric/tally.ts'

/** What one repeated fetch was worth. */
interface MeasuredGain {
  /** Days since the fetch before. */
  readonly days: number
  readonly changed: boolean
  /** Quality gained; 0 if nothing changed that searchers see. */
  readonly gain: number
  /** What other pages gained by the words of its links, beside that; nothing if left out. */
  readonly anchorGain?: number
  /** How often searchers saw the copy before the fetch. */
  readonly views: number
  /** The class of the URL. */
  readonly classNumber: number
}

/** A way to foretell what a change will gain. */
interface GainForecast {
  /** How much a view is worth is learnt from pages of the same class, or else from all. */
  readonly byClass: boolean
  /** How many changes' worth of belief the views get before the page's own gains count. */
  readonly viewWeight: number
}

/**
 * The ways that are tried side by side, and believed as far as each would have foretold the gains that came.
 * The first looks at views alone, and is believed as much as all others together until they do better: where
 * the past is of no use, this notices.
 */
export const GAIN_FORECASTS: readonly GainForecast[] = [
  { byClass: false, viewWeight: Number.POSITIVE_INFINITY },
  ...[2, 8, 32].map((viewWeight) => ({ byClass: false, viewWeight })),
  ...[2, 8, 32, Number.POSITIVE_INFINITY].map((viewWeight) => ({ byClass: true, viewWeight })),
]

/** What all pages of a part of a crawl teach about any. */
export type GainTally = {
  /** Of pages seen to change: sums of their mean gains and of their views, and how many classes they are of. */
  readonly changed: {
    readonly gains: ExactPart
    readonly views: ExactPart
    readonly pages: number
    readonly classes: number
  }
  /** By forecast: how badly it came out. */
  readonly losses: readonly ExactPart[]
}

/** What all pages do for others by the words of their links counts for each as so many visits of its own. */
const VISITS_TO_TELL = 2

/**
 * What refreshing each URL has gained so far, and how well that was foretold. A change is expected to gain in
 * proportion to the page's views; how much for each view is learnt by class, beginning with what all pages
 * teach. Means are over pages, each counting once, however often it changed. What a page does for others grows
 * with the days since its last visit, however often it is seen or changes.
 */
export class GainHistory {
  readonly #rowOf = new GrowingColumn(Uint32Array)
  readonly #visits = new GrowingColumn(Uint32Array)
  readonly #changes = new GrowingColumn(Uint32Array)
  readonly #gains = new GrowingColumn(Float64Array)
  /** What others gained, and in how many days. */
  readonly #anchorGains = new GrowingColumn(Float64Array)
  readonly #days = new GrowingColumn(Float64Array)
  /** Sum over visits of gain per day. */
  readonly #paces = new GrowingColumn(Float64Array)
  readonly #views = new GrowingColumn(Float64Array)
  /** By class, of pages seen to change: sums of their mean gains and of their views. */
  readonly #classGains = new GrowingColumn(Float64Array)
  readonly #classViews = new GrowingColumn(Float64Array)
  /** By class: 1 once a page of it was seen to change. */
  readonly #classIsSeen = new GrowingColumn(Uint8Array)
  readonly #changed = { gains: 0, views: 0, pages: 0, classes: 0 }
  readonly #visited = { paces: 0, views: 0, pages: 0 }
  readonly #named = { gains: 0, days: 0, visits: 0 }
  readonly #losses = firstLosses()
  /** The same without what they begin with. */
  readonly #seenLosses = GAIN_FORECASTS.map(() => new ExactSum())
  #shared: Totals<GainTally> | undefined

  /** From now on what pages teach about any is that of all buckets. */
  judgeBy(shared: Totals<GainTally>): void {
    this.#shared = shared
  }

  /** What others need to add it to theirs. */
  get tally(): GainTally {
    const rows = Array.from(this.#changes.view().keys()).filter((row) => this.#changes.at(row) > 0)
    const { classes } = this.#changed
    return {
      changed: {
        gains: exactPart(rows.map((row) => this.#gains.at(row) / this.#changes.at(row))),
        views: exactPart(rows.map((row) => this.#views.at(row))),
        ...{ pages: rows.length, classes },
      },
      losses: this.#seenLosses.map(({ limbs }) => ({ limbs })),
    }
  }

  get #ofAll(): Totals<GainTally>['changed'] {
    return this.#shared?.changed ?? this.#changed
  }

  /** Takes in what a repeated fetch gained. */
  observe(url: number, measured: MeasuredGain): void {
    const { days, changed, gain, anchorGain = 0, views, classNumber } = measured
    if (!(days > 0)) return
    const row = this.#rowAt(url) ?? this.#begin(url)
    if (changed) this.#judgeForecasts(row, measured)
    this.#addToSums(row, classNumber, -1)
    this.#visits.add(row, 1)
    this.#paces.add(row, (gain + anchorGain) / days)
    this.#views.set(row, views)
    this.#noteAnchorGain(row, anchorGain, days)
    if (changed) {
      this.#changes.add(row, 1)
      this.#gains.add(row, gain)
    }
    this.#addToSums(row, classNumber, 1)
  }

  /** Changes seen of a URL, and what all of them gained. */
  gainsOf(url: number): { readonly changes: number; readonly gain: number } {
    const row = this.#rowAt(url)
    if (row === undefined) return { changes: 0, gain: 0 }
    return { changes: this.#changes.at(row), gain: this.#gains.at(row) }
  }

  /** The mean over a URL's visits of the gain per day since the visit before; 0 if there were none. */
  paceOf(url: number): number {
    const row = this.#rowAt(url)
    return row === undefined ? 0 : this.#paces.at(row) / this.#visits.at(row)
  }

  /** What a page gains a day for each view it gets, over the pages fetched again; 1 before any gained. */
  get pacePerView(): number {
    const { paces, views } = this.#visited
    return paces > 0 && views > 0 ? paces / views : 1
  }

  /** The mean pace over the pages fetched again; 1 before any gained. */
  get meanPace(): number {
    const { paces, pages } = this.#visited
    return paces > 0 ? paces / pages : 1
  }

  /** What a change of any page gains for each view; 1 before any change gained. */
  get gainPerView(): number {
    const { gains, views } = this.#ofAll
    return gains > 0 && views > 0 ? gains / views : 1
  }

  /** The same for pages of a class. All pages together count as one more class of the usual size. */
  gainPerViewOf(classNumber: number): number {
    const { views, classes } = this.#ofAll
    const ofAll = this.gainPerView
    if (classNumber >= this.#classGains.length || !(views > 0)) return ofAll
    const usual = views / classes
    const ownGains = Math.max(0, this.#classGains.view()[classNumber])
    const ownViews = Math.max(0, this.#classViews.view()[classNumber])
    return (ownGains + usual * ofAll) / (ownViews + usual)
  }

  /** How far each of `GAIN_FORECASTS` is believed now; sums to 1. */
  beliefs(): Float64Array {
    const losses = this.#shared
      ? firstLosses().map((loss, i) => loss + this.#shared!.losses[i])
      : this.#losses
    const least = losses.reduce((a, b) => Math.min(a, b))
    const beliefs = losses.map((loss) => Math.exp(least - loss))
    const sum = beliefs.reduce((a, b) => a + b, 0)
    return beliefs.map((belief) => belief / sum)
  }

  /**
   * What a change of a URL is expected to gain, by all forecasts as far as they are believed. For each view this
   * is no more than `scorePerView`, what searchers see there now: a few pages that nobody saw and that rose to the
   * top would else promise of every page more than there is to lose.
   */
  expectedGain(
    url: number,
    classNumber: number,
    views: number,
    beliefs: Float64Array,
    scorePerView = Number.POSITIVE_INFINITY,
  ): number {
    const row = this.#rowAt(url)
    const byAll = views * Math.min(scorePerView, this.gainPerView)
    const byClass = views * Math.min(scorePerView, this.gainPerViewOf(classNumber))
    let expected = 0
    for (let i = 0; i < beliefs.length; i++)
      if (beliefs[i] > 1e-6) expected += beliefs[i] * this.#forecast(i, row, byAll, byClass)
    return expected
  }

  /** What other pages are expected to gain a day by the words of a URL's links. */
  anchorPaceOf(url: number): number {
    const { gains, days, visits } = this.#named
    if (!(gains > 0)) return 0
    const row = this.#rowAt(url)
    const usualDays = (VISITS_TO_TELL * days) / visits
    const [ownGain, ownDays] =
      row === undefined ? [0, 0] : [this.#anchorGains.view()[row], this.#days.view()[row]]
    return ((usualDays * gains) / days + ownGain) / (usualDays + ownDays)
  }

  #noteAnchorGain(row: number, gain: number, days: number): void {
    this.#anchorGains.add(row, gain)
    this.#days.add(row, days)
    this.#named.gains += gain
    this.#named.days += days
    this.#named.visits++
  }

  #forecast(i: number, row: number | undefined, byAll: number, byClass: number): number {
    const { byClass: isByClass, viewWeight } = GAIN_FORECASTS[i]
    const byViews = isByClass ? byClass : byAll
    if (row === undefined || viewWeight === Number.POSITIVE_INFINITY) return byViews
    const [gain, changes] = [this.#gains.view()[row], this.#changes.view()[row]]
    return (viewWeight * byViews + gain) / (viewWeight + changes)
  }

  #judgeForecasts(row: number, { gain, views, classNumber }: MeasuredGain): void {
    const { gains, pages } = this.#ofAll
    if (!(gains > 0)) return
    const mean = gains / pages
    const byAll = views * this.gainPerView
    const byClass = views * this.gainPerViewOf(classNumber)
    for (let i = 0; i < GAIN_FORECASTS.length; i++) {
      const loss = deviance(gain / mean, this.#forecast(i, row, byAll, byClass) / mean)
      this.#losses[i] += loss
      if (this.#shared) this.#seenLosses[i].add(Math.max(0, loss))
    }
  }

  #addToSums(row: number, classNumber: number, sign: 1 | -1): void {
    const visits = this.#visits.at(row)
    const changes = this.#changes.at(row)
    const views = this.#views.at(row)
    if (visits === 0) return
    this.#visited.paces += (sign * this.#paces.at(row)) / visits
    this.#visited.views += sign * views
    this.#visited.pages += sign
    if (changes === 0) return
    const gain = (sign * this.#gains.at(row)) / changes
    this.#changed.gains += gain
    this.#changed.views += sign * views
    this.#changed.pages += sign
    if (this.#classIsSeen.get(classNumber) === 0) this.#changed.classes++
    this.#classIsSeen.put(classNumber, 1)
    this.#classGains.add(classNumber, gain)
    this.#classViews.add(classNumber, sign * views)
  }

  #rowAt(url: number): number | undefined {
    const row = url < this.#rowOf.length ? this.#rowOf.view()[url] : 0
    return row === 0 ? undefined : row - 1
  }

  #begin(url: number): number {
    const row = this.#visits.push(0)
    this.#rowOf.put(url, row + 1)
    this.#changes.push(0)
    for (const sums of [this.#gains, this.#anchorGains, this.#days, this.#paces, this.#views])
      sums.push(0)
    return row
  }
}

function firstLosses(): Float64Array {
  return Float64Array.from(GAIN_FORECASTS, (_, i) =>
    i === 0 ? 0 : Math.log(GAIN_FORECASTS.length - 1),
  )
}

/** However small a forecast, a gain that comes is no more of a surprise than this share of the mean would be. */
const LEAST_FORECAST = 0.01

/** How badly a forecast came out, both in units of the mean gain, as for counts; 0 when it was right. */
function deviance(gain: number, forecast: number): number {
  const expected = forecast + LEAST_FORECAST
  return expected - gain + (gain > 0 ? gain * Math.log(gain / expected) : 0)
}
