import { Calibration } from './calibration.ts'

/** A factor begins as if so many predictions had come true. */
const TRUST = 20
/** Effective sample size: what held a year ago may not hold now. */
const MEMORY = 1_000

/**
 * What realised gains come to, of those predicted: one factor for all. Copies that promise most are looked at first,
 * and promise too much; but which of them do is no matter of size or class.
 */
export class OneFactor {
  #fetches = 0
  #predicted = 0
  #realised = 0

  observe(_classNumber: number, predicted: number, realised: number): void {
    const kept = 1 - 1 / MEMORY
    this.#fetches = this.#fetches * kept + 1
    this.#predicted = this.#predicted * kept + predicted
    this.#realised = this.#realised * kept + realised
  }

  correct(_classNumber: number, predicted: number): number {
    if (!(this.#predicted > 0)) return predicted
    const begun = (TRUST * this.#predicted) / this.#fetches
    return (predicted * (begun + Math.max(0, this.#realised))) / (begun + this.#predicted)
  }
}

/** What a fetch was predicted to bring, before any correction. */
export interface Prediction {
  /** Quality of a new page. */
  readonly acquire?: number
  /** Quality that a copy would gain. */
  readonly refresh?: number
  /** New links. */
  readonly links?: number
  /** Quality of a page once it is rendered, if that brings all of it. */
  readonly render?: number
}

/** What a fetch brought in the end. */
interface RealisedGain {
  /** Undefined if it was not measured. */
  readonly quality: number | undefined
  readonly links: number
}

/** Tasks whose predictions are taken as they are. */
type Exempt = { readonly acquire?: boolean; readonly refresh?: boolean }

const newCalibrations = () => ({
  acquire: new Calibration(),
  refresh: new OneFactor(),
  /** New links of copies fetched again, and of pages fetched for the first time: quite another matter. */
  links: new Calibration(),
  firstLinks: new Calibration(),
})
type Calibrations = Readonly<ReturnType<typeof newCalibrations>>

/**
 * What past fetches teach about estimates: each task's are corrected by what its earlier ones came to.
 */
export class Corrections {
  readonly calibrations: Calibrations
  readonly #classOf: (url: number) => number
  readonly #isList: (url: number) => boolean
  readonly #isExempt: Exempt

  /** What an unread sitemap or feed shows is predicted by others alone, so there is nothing to correct. */
  constructor(
    classOf: (url: number) => number,
    isList: (url: number) => boolean = () => false,
    isExempt: Exempt = {},
    calibrations = newCalibrations(),
  ) {
    this.#classOf = classOf
    this.#isList = isList
    this.#isExempt = isExempt
    this.calibrations = calibrations
  }

  /** The same, where tasks whose bids need none, as they are known or not in quality, are left alone. */
  exempting(isExempt: Exempt): Corrections {
    return new Corrections(this.#classOf, this.#isList, isExempt, this.calibrations)
  }

  /** The same for URLs that go by other numbers. */
  renumbered(numberOf: (url: number) => number): Corrections {
    const classOf = (url: number) => this.#classOf(numberOf(url))
    const isList = (url: number) => this.#isList(numberOf(url))
    return new Corrections(classOf, isList, this.#isExempt, this.calibrations)
  }

  /** Whether what is expected of a task's fetches is taken as it is. */
  isExempt(task: 'acquire' | 'refresh'): boolean {
    return this.#isExempt[task] === true
  }

  /** How many new links a fetch that was expected to show so many will show. */
  links(url: number, count: number, isFirst: boolean): number {
    if (isFirst && this.#isList(url)) return count
    const calibration = isFirst ? this.calibrations.firstLinks : this.calibrations.links
    return calibration.correct(this.#classOf(url), count)
  }

  /** The quality that a fetch was predicted to gain, corrected as a bid for it would be now. */
  corrected(task: 'acquire' | 'refresh', url: number, prediction: number): number {
    if (this.#isExempt[task]) return prediction
    return this.calibrations[task].correct(this.#classOf(url), prediction)
  }

  /** A fetch came out. */
  observe(url: number, prediction: Prediction, { quality, links }: RealisedGain): void {
    const classNumber = this.#classOf(url)
    const { acquire, refresh, links: ofCopies, firstLinks } = this.calibrations
    if (quality !== undefined && prediction.acquire !== undefined)
      acquire.observe(classNumber, prediction.acquire, quality)
    if (quality !== undefined && prediction.refresh !== undefined)
      refresh.observe(classNumber, prediction.refresh, quality)
    const isFirst = prediction.acquire !== undefined
    if (prediction.links === undefined || (isFirst && this.#isList(url))) return
    const ofLinks = isFirst ? firstLinks : ofCopies
    ofLinks.observe(classNumber, prediction.links, links)
  }
}
