import { GrowingColumn } from '#numeric/grow.ts'

/**
 * The n-grams of texts that have numbers; each text is read once. A text's run is the count of its
 * n-grams, and then the n-grams.
 */
export class NgramRuns {
  readonly #runs = new GrowingColumn(Uint32Array)
  readonly #placeOf = new GrowingColumn(Uint32Array) // of a text's run, + 1; 0 if it was not read

  has(text: number): boolean {
    return this.#placeOf.get(text) > 0
  }

  /** Takes in a text by its n-grams, each once. */
  add(text: number, grams: readonly number[]): void {
    if (this.has(text)) throw new Error(`text ${text} is read twice`)
    this.#placeOf.put(text, this.#runs.push(grams.length) + 1)
    for (const gram of grams) this.#runs.push(gram)
  }

  /** Where a text's run starts. */
  placeOf(text: number): number {
    return this.#placeOf.at(text) - 1
  }

  gramsOf(text: number): Uint32Array {
    const start = this.placeOf(text) + 1
    return this.#runs.view().subarray(start, start + this.#runs.at(start - 1))
  }

  /** The runs as they lie, for loops over many: that of text t starts at places[t] - 1. */
  layout(): { readonly places: Uint32Array; readonly runs: Uint32Array } {
    return { places: this.#placeOf.view(), runs: this.#runs.view() }
  }
}
