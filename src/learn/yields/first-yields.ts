import { GrowingColumn } from '#numeric/grow.ts'

/** How a URL was found, as far as it says what to expect: sites announce sitemaps and feeds, which list many. */
export type FoundHow = 'linked' | 'announced'

/** What is said of more URLs weighs as much as so many fetches of those in question. */
const TRUST = 4
/** Sums are halved when they reach so many fetches: as a site becomes known, less is left to be found. */
const CLASS_MEMORY = 64
const WHOLE_MEMORY = 1024

/** How many URLs nobody had mentioned before first fetches led to, by class of URL. */
export class FirstYields {
  readonly #fetches = new GrowingColumn(Float32Array)
  readonly #found = new GrowingColumn(Float32Array)
  readonly #all = { fetches: 0, found: 0 }
  readonly #byHow = { linked: { fetches: 0, found: 0 }, announced: { fetches: 0, found: 0 } }

  /** Takes in what a first fetch led to. */
  observe(classNumber: number, found: number, how: FoundHow = 'linked'): void {
    this.#fetches.lengthen(classNumber + 1)
    this.#found.lengthen(classNumber + 1)
    const kept = this.#fetches.at(classNumber) >= CLASS_MEMORY ? 0.5 : 1
    this.#fetches.set(classNumber, this.#fetches.at(classNumber) * kept + 1)
    this.#found.set(classNumber, this.#found.at(classNumber) * kept + found)
    for (const sums of [this.#all, this.#byHow[how]]) {
      const keptOfAll = sums.fetches >= WHOLE_MEMORY ? 0.5 : 1
      sums.fetches = sums.fetches * keptOfAll + 1
      sums.found = sums.found * keptOfAll + found
    }
  }

  /** What a first fetch of any URL is expected to lead to; 0 before any was fetched. */
  get ofAll(): number {
    return this.#all.fetches > 0 ? this.#all.found / this.#all.fetches : 0
  }

  /** The same for URLs of a class, beginning with what is expected of those found like them. */
  of(classNumber: number, how: FoundHow = 'linked'): number {
    const alike = this.#byHow[how]
    const ofAlike = (alike.found + TRUST * this.ofAll) / (alike.fetches + TRUST)
    const isKnown = classNumber < this.#fetches.length
    const fetches = isKnown ? this.#fetches.view()[classNumber] : 0
    const found = isKnown ? this.#found.view()[classNumber] : 0
    return (found + TRUST * ofAlike) / (fetches + TRUST)
  }
}
