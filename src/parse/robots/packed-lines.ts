import type { Lines } from './robots-patterns.ts'

/** Lines as one text, each read when it is asked for: a hundred thousand objects would take ten times as much memory. */
export class PackedLines<Line> implements Lines<Line> {
  readonly #text: string
  /** Where each ends in the text; the next one begins there. */
  readonly #ends: Uint32Array
  readonly #read: (written: string) => Line

  constructor(written: readonly string[], read: (written: string) => Line) {
    this.#text = written.join('')
    this.#ends = new Uint32Array(written.length)
    let end = 0
    for (const [order, { length }] of written.entries()) {
      end += length
      this.#ends[order] = end
    }
    this.#read = read
  }

  get length(): number {
    return this.#ends.length
  }

  at(order: number): Line | undefined {
    if (order >= this.length) return undefined
    return this.#read(this.#text.slice(order === 0 ? 0 : this.#ends[order - 1], this.#ends[order]))
  }
}
