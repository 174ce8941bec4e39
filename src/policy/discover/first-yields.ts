import { GrowingColumn } from '#numeric/grow.ts'

/** What all URLs say weighs as much as so many fetches of a class. */
const TRUST_IN_ALL = 4
/** Sums are halved when they reach so many fetches: as a site becomes known, less is left to be found. */
const CLASS_MEMORY = 64
const WHOLE_MEMORY = 1024

/** How many URLs nobody had mentioned before first fetches led to, by class of URL. */
export class FirstYields {
  readonly #fetches = new GrowingColumn(Float32Array)
  readonly #found = new GrowingColumn(Float32Array)
  readonly #all = { fetches: 0, found: 0 }

  /** Takes in what a first fetch led to. */
  observe(classNumber: number, found: number): void {
    while (this.#fetches.length <= classNumber) {
      this.#fetches.push(0)
      this.#found.push(0)
    }
    const keptOfClass = this.#fetches.at(classNumber) >= CLASS_MEMORY ? 0.5 : 1
    this.#fetches.set(classNumber, this.#fetches.at(classNumber) * keptOfClass + 1)
    this.#found.set(classNumber, this.#found.at(classNumber) * keptOfClass + found)
    const kept = this.#all.fetches >= WHOLE_MEMORY ? 0.5 : 1
    this.#all.fetches = this.#all.fetches * kept + 1
    this.#all.found = this.#all.found * kept + found
  }

  /** What a first fetch of any URL is expected to lead to; 0 before any was fetched. */
  get ofAll(): number {
    return this.#all.fetches > 0 ? this.#all.found / this.#all.fetches : 0
  }

  /** The same for URLs of a class, beginning with what is expected of any. */
  of(classNumber: number): number {
    const isKnown = classNumber < this.#fetches.length
    const fetches = isKnown ? this.#fetches.at(classNumber) : 0
    const found = isKnown ? this.#found.at(classNumber) : 0
    return (found + TRUST_IN_ALL * this.ofAll) / (fetches + TRUST_IN_ALL)
  }
}
