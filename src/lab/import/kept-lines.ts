import type { Content } from './imported-web.ts'

const UNUSED = 0xffffffff

/** The lines (blocks, or links) that some content uses, numbered anew without gaps. */
export class KeptLines {
  readonly #newNumbers: Uint32Array

  /** `lines` are there in all; `runsOf` gives the runs of line numbers that a content uses. */
  constructor(
    lines: number,
    contents: Iterable<Content>,
    runsOf: (content: Content) => readonly number[],
  ) {
    const numbers = new Uint32Array(lines).fill(UNUSED)
    for (const content of contents) {
      const runs = runsOf(content)
      for (let at = 0; at < runs.length; at += 2) numbers.fill(0, runs[at], runs[at] + runs[at + 1])
    }
    let next = 0
    for (let line = 0; line < lines; line++) if (numbers[line] !== UNUSED) numbers[line] = next++
    this.#newNumbers = numbers
  }

  /** Runs of a content under the new numbers; a run stays whole, as all its lines are kept. */
  renumbered(runs: readonly number[]): number[] {
    return runs.map((value, at) => (at % 2 === 0 ? this.#newNumbers[value] : value))
  }

  /** The old numbers of the lines kept, ascending. */
  *kept(): Generator<number> {
    for (let line = 0; line < this.#newNumbers.length; line++)
      if (this.#newNumbers[line] !== UNUSED) yield line
  }
}
