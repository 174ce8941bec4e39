import { MAX_TEXT_CHARS } from '../page/page.ts'
import { isWhiteSpace } from '../text/white-space.ts'

const SPACE = 32
const LINE_END = 10
/** So many characters of a piece at a time: a longer piece may reach the limit within itself. */
const STRETCH = 4096

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })
// The text being collected, as UTF-8, of at most 3 bytes a character. One for all pages.
const bytes = new Uint8Array(3 * (MAX_TEXT_CHARS + STRETCH + 2))

/**
 * What `CollapsedText` gives, for a whole page: its thousand pieces are copied to one buffer, where
 * joined slices would each be an object first. Only one can be in use at a time.
 */
export class VisibleText {
  #length = 0 // in bytes
  #excess = 0 // by how many the bytes outnumber the characters
  #afterGap = 1 // 1 if the last byte is white space, or there is none
  #line = 0

  get isEmpty(): boolean {
    return this.#length === 0
  }

  /** How much there is, in bytes. */
  get size(): number {
    return this.#length
  }

  /** The number of the line, from 0, that what is added next is part of. */
  get line(): number {
    return this.#line
  }

  /** Adds source[start .. end), which goes on where the last piece ended. */
  add(source: string, start = 0, end = source.length): void {
    let at = start
    while (at < end && this.#length - this.#excess < MAX_TEXT_CHARS)
      at = this.#addStretch(source, at, end - at > STRETCH ? at + STRETCH : end)
  }

  /** Parts what came before from what comes next; a line end outweighs a space. */
  gap(kind: ' ' | '\n'): void {
    if (this.#length === 0) return
    if (this.#afterGap === 0) bytes[this.#length++] = SPACE
    this.#afterGap = 1
    if (kind === ' ' || bytes[this.#length - 1] === LINE_END) return
    bytes[this.#length - 1] = LINE_END
    this.#line++
  }

  toString(): string {
    const end = this.#length === 0 ? 0 : this.#length - this.#afterGap
    const text = utf8.decode(bytes.subarray(0, end))
    if (text.length <= MAX_TEXT_CHARS) return text
    // The cut may have gone through a surrogate pair.
    const cut = text.slice(0, MAX_TEXT_CHARS).replace(/[\ud800-\udbff]$/, '')
    return cut.trimEnd()
  }

  #addStretch(source: string, start: number, end: number): number {
    let length = this.#length
    let afterGap = this.#afterGap
    let at = start
    while (at < end) {
      let code = source.charCodeAt(at)
      // Without a branch at the end of each word, which no processor foresees: a space after a
      // space is written, and then written over.
      while (code >= SPACE && code < 128) {
        const isSpace = ((code ^ SPACE) - 1) >>> 31
        bytes[length] = code
        length += 1 - (isSpace & afterGap)
        afterGap = isSpace
        if (++at >= end) break
        code = source.charCodeAt(at)
      }
      if (at >= end) break
      if (isWhiteSpace(code)) {
        bytes[length] = SPACE
        length += 1 - afterGap
        afterGap = 1
        at++
      } else {
        const point = source.codePointAt(at)!
        const units = point > 0xffff ? 2 : 1
        const size = encode(point, length)
        this.#excess += size - units
        length += size
        afterGap = 0
        at += units
      }
    }
    this.#length = length
    this.#afterGap = afterGap
    return at
  }
}

/** Writes a character in UTF-8; gives the number of bytes. Half a surrogate pair becomes U+FFFD. */
function encode(point: number, at: number): number {
  if (point < 0x80) {
    bytes[at] = point
    return 1
  }
  if (point < 0x800) {
    bytes[at] = 0xc0 | (point >> 6)
    bytes[at + 1] = 0x80 | (point & 63)
    return 2
  }
  if (point > 0xffff) {
    bytes[at] = 0xf0 | (point >> 18)
    bytes[at + 1] = 0x80 | ((point >> 12) & 63)
    bytes[at + 2] = 0x80 | ((point >> 6) & 63)
    bytes[at + 3] = 0x80 | (point & 63)
    return 4
  }
  const whole = point >= 0xd800 && point <= 0xdfff ? 0xfffd : point
  bytes[at] = 0xe0 | (whole >> 12)
  bytes[at + 1] = 0x80 | ((whole >> 6) & 63)
  bytes[at + 2] = 0x80 | (whole & 63)
  return 3
}
