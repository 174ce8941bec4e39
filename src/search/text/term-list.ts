const FIRST_TERMS = 256

/** Numbers of terms as they are read; what a long text needed is kept for those that follow. */
export class TermList {
  #values: Uint32Array = new Uint32Array(FIRST_TERMS)
  #length = 0

  push(term: number): void {
    const length = this.#length
    if (length === this.#values.length) {
      const larger = new Uint32Array(2 * length)
      larger.set(this.#values)
      this.#values = larger
    }
    this.#values[length] = term
    this.#length = length + 1
  }

  clear(): void {
    this.#length = 0
  }

  /** What was pushed, without a copy: until something else is. */
  view(): Uint32Array {
    return this.#values.subarray(0, this.#length)
  }
}
