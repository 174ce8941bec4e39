import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2'

export interface XmlHandler {
  /** An element begins. Names are lower case; attributes are by full name (`xml:base`). */
  open(prefix: string, name: string, attributes: ReadonlyMap<string, string>): void
  close(prefix: string, name: string): void
  /** A piece of text: source[start .. end). */
  text(source: string, start: number, end: number): void
  /** Asked after each element: true ends the reading. */
  readonly isDone: boolean
}

const NO_ATTRIBUTES: ReadonlyMap<string, string> = new Map()
const MAX_ATTRIBUTES = 50

/**
 * Tells the handler what an XML document holds, however broken it is, in time linear in its length.
 * Only the five predefined and the numeric entities have a meaning: what a DOCTYPE declares is
 * ignored, so no document can grow while it is read or name a file.
 */
export function scanXml(xml: string, handler: XmlHandler): void {
  const scanner = new Scanner(xml, handler)
  const tokenizer = new Tokenizer({ xmlMode: true, decodeEntities: true }, scanner)
  scanner.stop = () => tokenizer.pause()
  tokenizer.write(xml)
  if (!handler.isDone) tokenizer.end()
}

class Scanner implements TokenizerCallbacks {
  readonly #xml: string
  readonly #handler: XmlHandler
  stop: () => void = () => {}

  // The tag being read.
  #prefix = ''
  #name = ''
  #attributes: Map<string, string> | undefined
  #attribute = ''
  #value = ''

  constructor(xml: string, handler: XmlHandler) {
    this.#xml = xml
    this.#handler = handler
  }

  onopentagname(start: number, end: number): void {
    this.#readName(start, end)
    this.#attributes = undefined
  }

  onattribname(start: number, end: number): void {
    this.#attribute = this.#xml.slice(start, end).toLowerCase()
    this.#value = ''
  }

  onattribdata(start: number, end: number): void {
    this.#value += this.#xml.slice(start, end)
  }

  onattribentity(codePoint: number): void {
    this.#value += String.fromCodePoint(codePoint)
  }

  onattribend(): void {
    this.#attributes ??= new Map()
    if (this.#attributes.size < MAX_ATTRIBUTES) this.#attributes.set(this.#attribute, this.#value)
  }

  onopentagend(): void {
    this.#handler.open(this.#prefix, this.#name, this.#attributes ?? NO_ATTRIBUTES)
    if (this.#handler.isDone) this.stop()
  }

  onselfclosingtag(): void {
    this.onopentagend()
    this.#handler.close(this.#prefix, this.#name)
  }

  onclosetag(start: number, end: number): void {
    this.#readName(start, end)
    this.#handler.close(this.#prefix, this.#name)
    if (this.#handler.isDone) this.stop()
  }

  ontext(start: number, end: number): void {
    if (start >= 0) this.#handler.text(this.#xml, start, end) // see html.ts
  }

  ontextentity(codePoint: number): void {
    const character = String.fromCodePoint(codePoint)
    this.#handler.text(character, 0, character.length)
  }

  oncdata(start: number, end: number, endLength: number): void {
    this.#handler.text(this.#xml, start, end - endLength)
  }

  oncomment(): void {}
  ondeclaration(): void {}
  onprocessinginstruction(): void {}
  onend(): void {}

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

const ROOT_TAG = /<(?:([\w.-]{1,60}):)?([\w.-]{1,60})(?=[\s/>]|$)/y

/** The first element of a document, after whatever may stand before it; undefined if it is no XML. */
export function xmlRoot(xml: string): XmlRoot | undefined {
  for (let at = 0; ; ) {
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
}

const SPACE_BEFORE_MARKUP = /[\s\ufeff]*(?=<)/y

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
