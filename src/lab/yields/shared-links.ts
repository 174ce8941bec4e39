/** Sums are halved when so many links were expected, so that what held long ago need not hold now. */
const MEMORY = 200

/**
 * How far new links are still there that a page's rival would have shown first, and has not: as far as such links
 * came so far, of all pages. What a menu shows, hundreds of pages show, and one rival is no measure of them.
 */
export class SharedLinks {
  #expected = 1
  #came = 1

  /** The share that is still there, 0 to 1; all, before anything is known. */
  get share(): number {
    return this.#came / this.#expected
  }

  /** So many such links were there unless others had shown them, and so many came beyond what the page has for itself. */
  observe(expected: number, beyondOwn: number): void {
    const kept = this.#expected >= MEMORY ? 0.5 : 1
    this.#expected = this.#expected * kept + expected
    this.#came = this.#came * kept + Math.min(expected, Math.max(0, beyondOwn))
  }
}
