/** Lines as one text, each read when it is asked for: a hundred thousand objects would take ten times as much memory. */
export class PackedLines<Line> {
  /** The lines one after the other, and perhaps more. */
  readonly #text: string
  /** Where each ends in the text; the next one begins there. */
  readonly #ends: Uint32Array
  readonly #read: (written: string) => Line

  constructor(text: string, ends: Uint32Array, read: (written: string) => Line) {
    this.#text = text
    this.#ends = ends
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

/** Builds one text of lines, and of what is to be found in it. */
export class SharedText {
  readonly #parts: string[]
  /** Where each line ends. */
  readonly ends: Uint32Array
  #length = 0

  constructor(lines: readonly string[]) {
    this.#parts = [...lines]
    this.ends = Uint32Array.from(lines, ({ length }) => (this.#length += length))
  }

  /** Where a text stands: in this line if it is part of that, else behind all lines. */
  placeOf(text: string, line: number): number {
    const written = this.#parts[line]
    const at = written.indexOf(text)
    if (at >= 0) return this.ends[line] - written.length + at
    const place = this.#length
    this.#parts.push(text)
    this.#length += text.length
    return place
  }

  toString(): string {
    return this.#parts.join('')
  }
}
