import { detached } from './detached.ts'
import { isWhiteSpace } from './white-space.ts'

const SPACE = 32

/** Text collected in pieces, with white space collapsed to one space or line end, up to a limit. */
export class CollapsedText {
  readonly #limitChars: number
  #text = ''
  #gap: '' | ' ' | '\n' = '' // white space owed before the next word

  constructor(limitChars: number) {
    this.#limitChars = limitChars
  }

  /** Adds source[start .. end), which goes on where the last piece ended. */
  add(source: string, start = 0, end = source.length): void {
    if (this.isFull) return
    let runStart = start
    let at = start
    while (at < end) {
      if (!isWhiteSpace(source.charCodeAt(at))) {
        at++
        continue
      }
      // A single space between two words can stay where it is: most text is copied in long runs.
      if (source.charCodeAt(at) === SPACE && at > runStart && at + 1 < end) {
        if (!isWhiteSpace(source.charCodeAt(at + 1))) {
          at += 2
          continue
        }
      }
      this.#append(source, runStart, at)
      if (this.isFull) return
      this.gap(' ')
      at++
      while (at < end && isWhiteSpace(source.charCodeAt(at))) at++
      runStart = at
    }
    this.#append(source, runStart, end)
  }

  /** Parts what came before from what comes next; a line end outweighs a space. */
  gap(kind: ' ' | '\n'): void {
    if (this.#gap !== '\n') this.#gap = kind
  }

  /** Whether nothing more is taken in. */
  get isFull(): boolean {
    return this.#text.length >= this.#limitChars
  }

  get isEmpty(): boolean {
    return this.#text === ''
  }

  clear(): void {
    this.#text = ''
    this.#gap = ''
  }

  toString(): string {
    if (this.#text.length <= this.#limitChars) return detached(this.#text)
    // The cut may have gone through a surrogate pair.
    return detached(
      this.#text
        .slice(0, this.#limitChars)
        .replace(/[\ud800-\udbff]$/, '')
        .trimEnd(),
    )
  }

  #append(source: string, start: number, end: number): void {
    if (start >= end) return
    const gap = this.#text === '' ? '' : this.#gap
    this.#gap = ''
    this.#text += gap + source.slice(start, end)
  }
}
