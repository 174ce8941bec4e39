import { HeldAnswers } from '../refresh/held-answers.ts'
import { sharesOf, type WeeklyTruth } from './weekly-truth.ts'

/** The copies that a crawl holds while the web goes on; a copy is what the page was in the week of its fetch. */
export class HeldCopies {
  readonly truth: WeeklyTruth
  /** What searchers get from them. */
  readonly answers: HeldAnswers
  #week: number

  private constructor(truth: WeeklyTruth, answers: HeldAnswers, week: number) {
    this.truth = truth
    this.answers = answers
    this.#week = week
  }

  /** Nothing is held yet. `seen`: by query, how often the crawler saw it asked, where others judge. */
  static none(truth: WeeklyTruth, seen?: Float64Array): HeldCopies {
    const { shares: judging } = truth.answers
    const known = seen ? { ...truth.answers, shares: sharesOf(seen) } : truth.answers
    const answers = HeldAnswers.at(truth.pages, known, 0, { isHeld: () => false, judging })
    return new HeldCopies(truth, answers, 0)
  }

  /** The same, with a fate of its own. */
  copy(): HeldCopies {
    return new HeldCopies(this.truth, this.answers.copy(), this.#week)
  }

  get week(): number {
    return this.#week
  }

  /** Pages change as they did until the next week. */
  nextWeek(): void {
    this.#week++
    for (const page of this.truth.pages.changedPages[this.#week])
      this.answers.change(page, this.truth.contentAt(page, this.#week))
  }

  /** A fetch found out what is at the URL now, be it that nothing is. */
  fetched(url: string): void {
    const page = this.truth.pageOf(url)
    if (page !== undefined) this.answers.refresh(page)
  }

  isHeld(page: number): boolean {
    return this.answers.isHeld(page)
  }

  /**
   * What searchers get now, ranked by the copies and worth what the pages are, of what they would get from
   * everything as it is; 1 in a week that has no answers at all.
   *
   * @paper PandeyOlston2005 §3.2 Eq. 5 — the ideal holds every page that may be fetched, not only those held.
   */
  quality(): number {
    const ideal = this.truth.ideals[this.#week]
    return ideal > 0 ? this.answers.earned / ideal : 1
  }

  /** Of the pages held: how many say something else now, or are gone. */
  stale(): { readonly held: number; readonly stale: number } {
    let held = 0
    let stale = 0
    for (let page = 0; page < this.truth.pages.archivePages.length; page++) {
      if (!this.answers.isHeld(page)) continue
      held++
      if (this.answers.isStale(page)) stale++
    }
    return { held, stale }
  }
}
