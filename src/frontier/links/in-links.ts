import { GrowingColumn } from '#numeric/grow.ts'

/** How many pages link to each URL, kept in step as the links of pages are replaced. */
export class InLinks {
  readonly #counts = new GrowingColumn(Uint32Array)
  /** By URL: 2 · round if the links before had it, one more if it was counted in that round. */
  readonly #marks = new GrowingColumn(Uint32Array)
  #round = 0
  #added = new Uint32Array(64)

  /** Pages that link to the URL now; each counts once, the page itself included. */
  of(url: number): number {
    return url < this.#counts.length ? this.#counts.view()[url] : 0
  }

  /**
   * Replaces a page's old links by new ones; all are URLs below `urlCount`. Gives the new ones
   * that it did not have before, each once, in their order; valid until the next call.
   */
  replace(before: Uint32Array, after: Uint32Array, urlCount: number): Uint32Array {
    this.#counts.lengthen(urlCount)
    this.#marks.lengthen(urlCount)
    if (++this.#round === 0x7fffffff) this.#beginAgain()
    const [had, counted] = [2 * this.#round, 2 * this.#round + 1]
    const counts = this.#counts.view()
    const marks = this.#marks.view()
    if (this.#added.length < after.length) this.#added = new Uint32Array(2 * after.length)
    const added = this.#added
    let addedCount = 0
    for (let i = 0; i < before.length; i++) marks[before[i]] = had
    for (let i = 0; i < after.length; i++) {
      const target = after[i]
      if (marks[target] === counted) continue
      if (marks[target] !== had) {
        counts[target]++
        added[addedCount++] = target
      }
      marks[target] = counted
    }
    for (let i = 0; i < before.length; i++) {
      const target = before[i]
      if (marks[target] !== had) continue
      counts[target]--
      marks[target] = counted
    }
    return added.subarray(0, addedCount)
  }

  #beginAgain(): void {
    this.#marks.view().fill(0)
    this.#round = 1
  }
}
