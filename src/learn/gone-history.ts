import { ExactSum } from '#numeric/exact-sum.ts'
import { GrowingColumn } from '#numeric/grow.ts'
import type { ExactPart, Totals } from '#numeric/tally.ts'

/** Before anything is seen, half a page is expected to vanish in so many days: one in sixteen a year. */
const FIRST_GONE = 0.5
const FIRST_DAYS = 3_000
/**
 * By how much it raises the odds that a page is gone that as many pages link to it as when we saw it, fewer, at most half
 * as many, none. Each guess counts as one page that was gone.
 */
const FIRST_FACTORS = [1, 3, 10, 30]
/** A page gone is expected to give back all that searchers saw of it, as if so many had shown that. */
const TRUST_IN_VIEWS = 3

/** What looking at a copy's page again showed. */
export interface LookedAgain {
  /** Days since the fetch before. */
  readonly days: number
  readonly classNumber: number
  /** Other pages that linked to it just before the fetch. */
  readonly inLinks: number
  readonly isGone: boolean
  /** Quality gained, and how often searchers saw the copy; NaN where nobody measured. */
  readonly gain: number
  readonly views: number
}

/** What all pages of a part of a crawl teach about any. */
export type GoneTally = {
  readonly gone: number
  readonly days: ExactPart
  readonly bySign: readonly { readonly gone: number; readonly expected: ExactPart }[]
  readonly given: { readonly gain: ExactPart; readonly views: ExactPart }
}

/** Pages with a sign that were gone, and how many were to be expected by their classes alone. */
interface Sign {
  gone: number
  expected: number
}

/**
 * Which pages vanish: how many of each class a day, and how much more likely those that lost the links to them. Sites that
 * take a page down mostly take down what led to it, so a look at one menu tells of many pages.
 */
export class GoneHistory {
  /** By URL: other pages that linked to it when it was fetched last. */
  readonly #inLinks = new GrowingColumn(Uint32Array)
  /** By class: pages that were gone, and days that pages of it were watched. */
  readonly #goneOfClass = new GrowingColumn(Uint32Array)
  readonly #daysOfClass = new GrowingColumn(Float64Array)
  readonly #all = { gone: FIRST_GONE, days: FIRST_DAYS }
  readonly #bySign = FIRST_FACTORS.map((factor): Sign => ({ gone: 1, expected: 1 / factor }))
  readonly #given = { gain: 0, views: 0 }
  /** The same without what they begin with, where others have some of the pages. */
  readonly #seen = {
    days: new ExactSum(),
    bySign: FIRST_FACTORS.map(() => ({ gone: 0, expected: new ExactSum() })),
    given: { gain: new ExactSum(), views: new ExactSum() },
  }
  #goneHere = 0
  #isShared = false

  /** From now on what pages teach about any is that of all buckets. */
  judgeBy({ gone, days, bySign, given }: Totals<GoneTally>): void {
    this.#all.gone = FIRST_GONE + gone
    this.#all.days = FIRST_DAYS + days
    this.#bySign.forEach((sign, i) => {
      sign.gone = 1 + bySign[i].gone
      sign.expected = 1 / FIRST_FACTORS[i] + bySign[i].expected
    })
    this.#given.gain = given.gain
    this.#given.views = given.views
    this.#isShared = true
  }

  /** What others need to add it to theirs. */
  get tally(): GoneTally {
    const { days, bySign, given } = this.#seen
    return {
      gone: this.#goneHere,
      days: { limbs: days.limbs },
      bySign: bySign.map(({ gone, expected }) => ({ gone, expected: { limbs: expected.limbs } })),
      given: { gain: { limbs: given.gain.limbs }, views: { limbs: given.views.limbs } },
    }
  }

  /** Notes how many other pages link to a URL as it is fetched. */
  noteLinks(url: number, inLinks: number): void {
    this.#inLinks.put(url, inLinks)
  }

  /** How many other pages linked to a URL when it was fetched last. */
  linksBefore(url: number): number {
    return url < this.#inLinks.length ? this.#inLinks.view()[url] : 0
  }

  /** Takes in what a look at the page of a copy showed; `noteLinks` is to follow. */
  observe(url: number, { days, classNumber, inLinks, isGone, gain, views }: LookedAgain): void {
    if (!(days > 0)) return
    const sign = this.#signOf(url, inLinks)
    const expected = -Math.expm1(-this.goneADay(classNumber) * days)
    const watched = isGone ? days / 2 : days
    this.#goneOfClass.add(classNumber, isGone ? 1 : 0)
    this.#daysOfClass.add(classNumber, watched)
    const isGiven = isGone && !Number.isNaN(gain) && !Number.isNaN(views)
    if (this.#isShared) {
      const seen = this.#seen
      const seenSign = seen.bySign[this.#bySign.indexOf(sign)]
      seenSign.expected.add(expected)
      seen.days.add(watched)
      if (!isGone) return
      seenSign.gone++
      this.#goneHere++
      if (!isGiven) return
      seen.given.gain.add(Math.max(0, gain))
      seen.given.views.add(views)
      return
    }
    sign.expected += expected
    this.#all.days += watched
    if (!isGone) return
    sign.gone++
    this.#all.gone++
    if (!isGiven) return
    this.#given.gain += gain
    this.#given.views += views
  }

  /** The share of the pages of a class that vanishes a day; all pages together count as one page of it that was gone. */
  goneADay(classNumber: number): number {
    const ofAll = this.#all.gone / this.#all.days
    const isSeen = classNumber < this.#daysOfClass.length
    const gone = isSeen ? this.#goneOfClass.view()[classNumber] : 0
    const days = isSeen ? this.#daysOfClass.view()[classNumber] : 0
    return (gone + 1) / (days + 1 / ofAll)
  }

  /**
   * By how much what became of the links to a URL raises the odds that it is gone. What is counted is how much it raised
   * chances, which is less where they are high: cautious, as those looked at were not sampled at random.
   */
  oddsFactorOf(url: number, inLinks: number): number {
    const { gone, expected } = this.#signOf(url, inLinks)
    return gone / expected
  }

  /** What taking a copy away gains for each view it got, where a mean copy gets so many and shows so much a view. */
  gainPerView(scorePerView: number, meanViews: number): number {
    const trust = TRUST_IN_VIEWS * meanViews
    if (!(trust > 0)) return scorePerView
    return (this.#given.gain + trust * scorePerView) / (this.#given.views + trust)
  }

  #signOf(url: number, inLinks: number): Sign {
    const before = this.linksBefore(url)
    if (inLinks >= before) return this.#bySign[0]
    return this.#bySign[inLinks === 0 ? 3 : inLinks <= before / 2 ? 2 : 1]
  }
}
