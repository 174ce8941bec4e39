import { decodeXML } from 'entities/decode'
import { endOfName, TagAttributes } from '../html/tag-attributes.ts'

export interface XmlHandler {
  /** An element begins. Names are lower case; values of attributes are as written (see `decodedXml`). */
  open(prefix: string, name: string, attributes: TagAttributes): void
  close(prefix: string, name: string): void
  /** Whether text is of use now; the rest is passed over. */
  readonly wantsText: boolean
  /** A piece of text: source[start .. end). */
  text(source: string, start: number, end: number): void
  /** Asked before each tag: true ends the reading. */
  readonly isDone: boolean
}

/**
 * Tags, attributes, comments and the like; a list with more is not read to its end. A sitemap of images has a tag for
 * every 28 bytes, which is 1.9 million in 50 MiB.
 */
const MAX_MARKUP = 2_500_000
/** Of a piece of text; all that is read is far shorter. */
const MAX_PIECE_CHARS = 65_536

const BANG = 0x21
const SLASH = 0x2f
const LESS = 0x3c
const QUESTION = 0x3f

/**
 * Tells the handler what an XML document holds, however broken it is, in time linear in its
 * length. Only the five predefined and the numeric entities have a meaning. What a DOCTYPE
 * declares is ignored, so no document can grow while it is read or name a file.
 */
export function scanXml(xml: string, handler: XmlHandler): void {
  const scanner = new Scanner(xml, handler)
  let textStart = 0
  let at = xml.indexOf('<')
  for (let markup = 0; at >= 0; markup++) {
    if (handler.isDone || markup + scanner.attributesRead >= MAX_MARKUP) return
    const code = xml.charCodeAt(at + 1)
    if (isNameStart(code) || code === SLASH || code === BANG || code === QUESTION) {
      scanner.addText(textStart, at)
      textStart = scanner.afterMarkup(at + 1, code)
      at = xml.charCodeAt(textStart) === LESS ? textStart : xml.indexOf('<', textStart)
    } else at = xml.indexOf('<', at + 1) // a sign that should have been escaped
  }
  scanner.addText(textStart, xml.length)
}

/** What an attribute of XML says, with its entities undone. */
export function decodedXml(value: string | undefined): string | undefined {
  return value?.includes('&') ? decodeXML(value) : value
}

/** Letters of any script, and the `_` and `:` that XML allows. */
function isNameStart(code: number): boolean {
  const small = code | 32
  return (small >= 0x61 && small <= 0x7a) || code === 0x5f || code === 0x3a || code >= 0xc0
}

class Scanner {
  readonly #xml: string
  readonly #handler: XmlHandler
  readonly #attributes = new TagAttributes()
  attributesRead = 0
  // The tag being read.
  #prefix = ''
  #name = ''

  constructor(xml: string, handler: XmlHandler) {
    this.#xml = xml
    this.#handler = handler
  }

  addText(start: number, end: number): void {
    if (start >= end || !this.#handler.wantsText) return
    const piece = this.#xml.slice(start, Math.min(end, start + MAX_PIECE_CHARS))
    const decoded = piece.includes('&') ? decodeXML(piece) : piece
    this.#handler.text(decoded, 0, decoded.length)
  }

  /** Takes the place after a `<` and what stands there; gives the place where the markup has ended. */
  afterMarkup(start: number, code: number): number {
    if (code === BANG) return this.#afterDeclaration(start + 1)
    if (code === QUESTION) return this.#afterNext('>', start)
    return code === SLASH ? this.#afterEndTag(start + 1) : this.#afterStartTag(start)
  }

  #afterStartTag(start: number): number {
    const nameEnd = endOfName(this.#xml, start)
    const end = this.#attributes.read(this.#xml, nameEnd)
    if (end < 0) return this.#xml.length // a tag that never ends is none
    this.attributesRead += this.#attributes.count
    this.#readName(start, nameEnd)
    this.#handler.open(this.#prefix, this.#name, this.#attributes)
    if (this.#attributes.isSelfClosing) this.#handler.close(this.#prefix, this.#name)
    return end
  }

  #afterEndTag(start: number): number {
    this.#readName(start, endOfName(this.#xml, start))
    this.#handler.close(this.#prefix, this.#name)
    return this.#afterNext('>', start)
  }

  /** What begins with `<!`: comments, character data and declarations. */
  #afterDeclaration(start: number): number {
    const xml = this.#xml
    if (xml.startsWith('--', start)) return this.#afterNext('-->', start + 2)
    if (!xml.startsWith('[CDATA[', start)) return this.#afterNext('>', start)
    const end = this.#afterNext(']]>', start + 7)
    if (this.#handler.wantsText)
      this.#handler.text(xml, start + 7, Math.min(end - 3, start + 7 + MAX_PIECE_CHARS))
    return end
  }

  #afterNext(mark: string, from: number): number {
    const end = endAfter(this.#xml, mark, from)
    return end < 0 ? this.#xml.length : end
  }

  #readName(start: number, end: number): void {
    const name = this.#xml.slice(start, end).toLowerCase()
    const colon = name.indexOf(':')
    this.#prefix = colon < 0 ? '' : name.slice(0, colon)
    this.#name = colon < 0 ? name : name.slice(colon + 1)
  }
}

export interface XmlRoot {
  readonly prefix: string
  /** Lower case, without the prefix. */
  readonly name: string
  /** Where its tag begins. */
  readonly start: number
}

/** Comments, instructions and the like before the first element. */
const MAX_PROLOG_MARKUP = 10_000
const ROOT_TAG = /<(?:([\w.-]{1,60}):)?([\w.-]{1,60})(?=[\s/>]|$)/y

/** The first element of a document, after whatever may stand before it; undefined if it is no XML. */
export function xmlRoot(xml: string): XmlRoot | undefined {
  let at = 0
  for (let markup = 0; markup < MAX_PROLOG_MARKUP; markup++) {
    at = firstMarkup(xml, at)
    if (at < 0) return undefined
    const end = endOfProlog(xml, at)
    if (end === at) {
      ROOT_TAG.lastIndex = at
      const [, prefix = '', name] = ROOT_TAG.exec(xml) ?? []
      if (name === undefined) return undefined
      return { prefix: prefix.toLowerCase(), name: name.toLowerCase(), start: at }
    }
    if (end < 0) return undefined
    at = end
  }
  return undefined
}

// Not more, as text of nothing but white space is no XML.
const SPACE_BEFORE_MARKUP = /[\s\ufeff]{0,100000}(?=<)/y

function firstMarkup(xml: string, from: number): number {
  SPACE_BEFORE_MARKUP.lastIndex = from
  return SPACE_BEFORE_MARKUP.test(xml) ? SPACE_BEFORE_MARKUP.lastIndex : -1
}

/** Where a comment, instruction or DOCTYPE that begins at `at` ends; `at` itself if none does. */
function endOfProlog(xml: string, at: number): number {
  if (xml.startsWith('<!--', at)) return endAfter(xml, '-->', at + 4)
  if (xml.startsWith('<?', at)) return endAfter(xml, '?>', at + 2)
  if (!xml.startsWith('<!', at)) return at
  const close = xml.indexOf('>', at)
  // Declarations of its own stand in brackets. To seek them further on would take quadratic time.
  const bracket = xml.slice(at, close < 0 ? undefined : close).indexOf('[')
  if (bracket < 0) return close + 1 || -1
  const end = endAfter(xml, ']', at + bracket)
  return end < 0 ? -1 : endAfter(xml, '>', end)
}

function endAfter(xml: string, mark: string, from: number): number {
  const found = xml.indexOf(mark, from)
  return found < 0 ? -1 : found + mark.length
}
