import { decodeHTML } from 'entities/decode'
import { type ContentKind, ESCAPABLE_TEXT, endOfContent, MARKUP } from './html-content.ts'
import { endOfName, type TagAttributes } from './tag-attributes.ts'

/** Hears what a document holds. Names are places in it, so that nothing is cut out in vain. */
export interface HtmlHandler {
  /** Where the attributes of a start tag are noted before `open` is called. */
  readonly attributes: TagAttributes
  /** A piece of text, source[start .. end), with its character references undone. */
  text(source: string, start: number, end: number): void
  /** A start tag, named html[start .. end); tells how to read what follows it. */
  open(start: number, end: number): ContentKind
  /** An end tag, named html[start .. end). */
  close(start: number, end: number): void
  /** The lower-case name of the innermost open element, if `closeInnermost` can end it; else ''. */
  readonly innermost: string
  closeInnermost(): void
  /** Whether a CDATA section is text here. */
  isInForeignContent(): boolean
}

/**
 * Tags, comments and whatever begins with `<`; a page with more is not read to its end. It would need one for every
 * 9 bytes of 10 MiB.
 */
const MAX_MARKUP = 1_200_000

const BANG = 0x21
const DASH = 0x2d
const SLASH = 0x2f
const LESS = 0x3c
const GREATER = 0x3e
const QUESTION = 0x3f

/**
 * Tells the handler what a document holds, by the tokenization rules of the HTML standard, in
 * time linear in its length. It jumps from mark to mark with `indexOf`, ten times as fast as
 * looking at every character. What is not found ends the document, so nothing is searched for
 * twice.
 */
export function scanHtml(html: string, handler: HtmlHandler): void {
  const scanner = new Scanner(html, handler)
  let textStart = 0
  let markup = 0
  for (let at = html.indexOf('<'); at >= 0; ) {
    if (++markup > MAX_MARKUP) return
    const code = html.charCodeAt(at + 1)
    if (!startsMarkup(html, at, code)) {
      at = html.indexOf('<', at + 1)
      continue
    }
    if (textStart < at) scanner.addText(textStart, at)
    if (isLetter(code)) textStart = scanner.afterStartTag(at + 1)
    else if (code === SLASH) textStart = scanner.afterEndTag(at + 2)
    else if (code === BANG) textStart = scanner.afterDeclaration(at + 2)
    else textStart = scanner.afterBogusComment(at + 2)
    // Where tags follow each other, the look is cheaper than the call.
    at = html.charCodeAt(textStart) === LESS ? textStart : html.indexOf('<', textStart)
  }
  if (textStart < html.length) scanner.addText(textStart, html.length)
}

/** A `<` before anything else is text. */
function startsMarkup(html: string, at: number, code: number): boolean {
  if (isLetter(code)) return true
  return code === SLASH ? at + 2 < html.length : code === BANG || code === QUESTION
}

function isLetter(code: number): boolean {
  const small = code | 32
  return small >= 0x61 && small <= 0x7a
}

/** Each `after` takes the place where something begins and gives the place where it has ended. */
class Scanner {
  readonly #html: string
  readonly #handler: HtmlHandler
  readonly #attributes: TagAttributes
  #reference = -1 // the first `&` from the last text on; html.length if there is none

  constructor(html: string, handler: HtmlHandler) {
    this.#html = html
    this.#handler = handler
    this.#attributes = handler.attributes
  }

  /** Takes what is not empty. */
  addText(start: number, end: number): void {
    const html = this.#html
    if (this.#reference < start) {
      const found = html.indexOf('&', start)
      this.#reference = found < 0 ? html.length : found
    }
    if (this.#reference >= end) {
      this.#handler.text(html, start, end)
      return
    }
    const decoded = decodeHTML(html.slice(start, end))
    this.#handler.text(decoded, 0, decoded.length)
  }

  afterStartTag(start: number): number {
    const html = this.#html
    const nameEnd = endOfName(html, start)
    const end = this.#attributes.read(html, nameEnd)
    if (end < 0) return html.length // a tag that never ends is none
    const kind = this.#handler.open(start, nameEnd)
    if (kind === MARKUP) return end
    const contentEnd = endOfContent(html, end, kind, start, nameEnd)
    if (end === contentEnd) return end
    if (kind === ESCAPABLE_TEXT) this.addText(end, contentEnd)
    else this.#handler.text(html, end, contentEnd)
    return contentEnd
  }

  afterEndTag(start: number): number {
    const html = this.#html
    const { innermost } = this.#handler
    const expectedEnd = start + innermost.length
    if (html.charCodeAt(expectedEnd) === GREATER && isAt(html, start, innermost)) {
      this.#handler.closeInnermost()
      return expectedEnd + 1
    }
    if (!isLetter(html.charCodeAt(start))) return this.afterBogusComment(start)
    const nameEnd = endOfName(html, start)
    // An end tag may have attributes, which mean nothing, but may hold a `>`.
    const end =
      html.charCodeAt(nameEnd) === GREATER ? nameEnd + 1 : this.#attributes.read(html, nameEnd)
    if (end < 0) return html.length
    this.#handler.close(start, nameEnd)
    return end
  }

  /** What begins with `<!`: comments, doctypes, CDATA sections, and what is none of these. */
  afterDeclaration(start: number): number {
    const html = this.#html
    if (html.startsWith('--', start)) return afterComment(html, start + 2)
    if (!html.startsWith('[CDATA[', start) || !this.#handler.isInForeignContent())
      return this.afterBogusComment(start)
    const found = html.indexOf(']]>', start + 7)
    const end = found < 0 ? html.length : found
    if (start + 7 < end) this.#handler.text(html, start + 7, end)
    return end + 3
  }

  afterBogusComment(start: number): number {
    const end = this.#html.indexOf('>', start)
    return end < 0 ? this.#html.length : end + 1
  }
}

/** Whether a word, which is not empty, stands at a place. */
function isAt(html: string, start: number, word: string): boolean {
  for (let i = 0; i < word.length; i++)
    if (html.charCodeAt(start + i) !== word.charCodeAt(i)) return false
  return word !== ''
}

/** Comments end with `-->` or `--!>`, at their very start also with `>` or `->`. */
function afterComment(html: string, start: number): number {
  if (html.charCodeAt(start) === GREATER) return start + 1
  if (html.startsWith('->', start)) return start + 2
  for (let dashes = html.indexOf('--', start); dashes >= 0; ) {
    let at = dashes + 2
    while (html.charCodeAt(at) === DASH) at++
    if (html.charCodeAt(at) === GREATER) return at + 1
    if (html.charCodeAt(at) === BANG && html.charCodeAt(at + 1) === GREATER) return at + 2
    dashes = html.indexOf('--', at)
  }
  return html.length
}
