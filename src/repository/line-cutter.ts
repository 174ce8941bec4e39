const NEWLINE = 10

/** Cuts chunks of bytes at line feeds; a line may span chunks. */
export class LineCutter {
  readonly #mostBytes: number
  #begun: Buffer[] = []
  #begunBytes = 0

  /** Of a longer line only a beginning is kept, which is longer than that too. */
  constructor(mostBytes = Number.POSITIVE_INFINITY) {
    this.#mostBytes = mostBytes
  }

  /** The lines that end in a chunk, without their line feeds. The chunk must stay as it is. */
  linesIn(chunk: Buffer): Buffer[] {
    const lines: Buffer[] = []
    let start = 0
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      lines.push(this.#ended(chunk.subarray(start, end)))
      start = end + 1
    }
    if (start < chunk.length) this.#begin(chunk.subarray(start))
    return lines
  }

  /** How long the line is that has begun and not ended. */
  get begunBytes(): number {
    return this.#begunBytes
  }

  /** That line. */
  get begun(): Buffer {
    return Buffer.concat(this.#begun)
  }

  #begin(part: Buffer): void {
    if (this.#begunBytes <= this.#mostBytes) this.#begun.push(part)
    this.#begunBytes += part.length
  }

  #ended(end: Buffer): Buffer {
    if (this.#begunBytes === 0) return end
    const line = Buffer.concat([...this.#begun, end])
    this.#begun = []
    this.#begunBytes = 0
    return line
  }
}
