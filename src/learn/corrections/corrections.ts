import { Calibration } from './calibration.ts'

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

/** Tasks whose predictions are taken as they are. */
export type Exempt = { readonly acquire?: boolean; readonly refresh?: boolean }

const newCalibrations = () => ({
  acquire: new Calibration(),
  refresh: new Calibration(),
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
  readonly #isExempt: Exempt

  constructor(
    classOf: (url: number) => number,
    isExempt: Exempt = {},
    calibrations = newCalibrations(),
  ) {
    this.#classOf = classOf
    this.#isExempt = isExempt
    this.calibrations = calibrations
  }

  /** The same, where tasks whose bids need none, as they are known or not in quality, are left alone. */
  exempting(isExempt: Exempt): Corrections {
    return new Corrections(this.#classOf, isExempt, this.calibrations)
  }

  /** Whether what is expected of a task's fetches is taken as it is. */
  isExempt(task: 'acquire' | 'refresh'): boolean {
    return this.#isExempt[task] === true
  }

  /** How many new links a fetch that was expected to show so many will show. */
  links(url: number, count: number, isFirst: boolean): number {
    const calibration = isFirst ? this.calibrations.firstLinks : this.calibrations.links
    return calibration.correct(this.#classOf(url), count)
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
}
