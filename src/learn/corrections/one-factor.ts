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
