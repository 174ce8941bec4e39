import { decodeHTMLAttribute } from 'entities/decode'

/** The attributes that say something to a crawler, by number: names to look up would cost more. */
export const HREF = 0
export const REL = 1
export const ALT = 2
export const NAME = 3
export const CONTENT = 4
export const LANG = 5
export const HIDDEN = 6
export const TYPE = 7
export const HREFLANG = 8
export const HTTP_EQUIV = 9
export const CLASS = 10
export const ID = 11
export const ROLE = 12
export const PROPERTY = 16
export const ITEMPROP = 17
export const ITEMSCOPE = 18
// Of feeds.
export const XML_BASE = 13
export const RDF_ABOUT = 14
export const IS_PERMALINK = 15
export const ATTRIBUTE_NAMES: readonly string[] =
  'href rel alt name content lang hidden type hreflang http-equiv class id role xml:base rdf:about ispermalink property itemprop itemscope'.split(
    ' ',
  )

/** A tag with more of them is taken for one that never ends. */
const MAX_ATTRIBUTES = 1_000_000
/** So many are listed, and so much of each, where all are asked for. */
const MOST_LISTED = 100
const MOST_LISTED_CHARS = 10_000
// No two have the same length and first letter: BY_SHAPE[length · 32 + letter] is the number + 1,
// so that others need no further look.
const LONGEST = 11
const BY_SHAPE = new Uint8Array((LONGEST + 1) * 32)
for (const [number, name] of ATTRIBUTE_NAMES.entries())
  BY_SHAPE[name.length * 32 + (name.charCodeAt(0) & 31)] = number + 1

// Per ASCII code, bits: white space; ends the name of a tag; ends that of an attribute; ends a value.
const SPACE = 1
const ENDS_TAG_NAME = 2
const ENDS_NAME = 4
const ENDS_VALUE = 8
const ROLES = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code)
  if (/[\t\n\f\r ]/.test(character)) return SPACE | ENDS_TAG_NAME | ENDS_NAME | ENDS_VALUE
  if (character === '>') return ENDS_TAG_NAME | ENDS_NAME | ENDS_VALUE
  if (character === '/') return ENDS_TAG_NAME | ENDS_NAME
  return character === '=' ? ENDS_NAME : 0
})

const DOUBLE_QUOTE = 0x22
const SINGLE_QUOTE = 0x27
const SLASH = 0x2f
const EQUALS = 0x3d
const GREATER = 0x3e

/** Where the name of a tag ends that begins at `start`. */
export function endOfName(html: string, start: number): number {
  return skipUntil(html, start, ENDS_TAG_NAME)
}

function skipUntil(html: string, start: number, role: number): number {
  const { length } = html
  let at = start
  for (; at < length; at++) {
    const code = html.charCodeAt(at)
    if (code <= GREATER && ROLES[code] & role) break // no letter has a role
  }
  return at
}

function skipSpace(html: string, start: number): number {
  let at = start
  for (; ; at++) {
    const code = html.charCodeAt(at)
    if (!(code <= 32 && ROLES[code] & SPACE)) return at
  }
}

/** Reads one attribute of a tag that has an end, into a list of all; gives the place after it. */
function listOne(html: string, start: number, values: Map<string, string>): number {
  const nameEnd = skipUntil(html, start + 1, ENDS_NAME)
  const name = html.slice(start, nameEnd).toLowerCase()
  const afterName = skipSpace(html, nameEnd)
  let [from, to, end] = [nameEnd, nameEnd, afterName]
  if (html.charCodeAt(afterName) === EQUALS) {
    from = skipSpace(html, afterName + 1)
    const code = html.charCodeAt(from)
    const isQuoted = code === DOUBLE_QUOTE || code === SINGLE_QUOTE
    if (isQuoted) from++
    to = isQuoted
      ? html.indexOf(code === DOUBLE_QUOTE ? '"' : "'", from)
      : skipUntil(html, from, ENDS_VALUE)
    end = isQuoted ? to + 1 : to
  }
  const value = html.slice(from, Math.min(to, from + MOST_LISTED_CHARS))
  if (!values.has(name)) values.set(name, value.includes('&') ? decodeHTMLAttribute(value) : value)
  return end
}

/** The attributes of the tag being read, as far as a crawler looks at them. */
export class TagAttributes {
  #html = ''
  #start = 0
  #present = 0 // bit n is set if the attribute of number n is there
  // Plain arrays are made faster than typed ones, and each page makes them.
  readonly #starts: number[] = new Array(ATTRIBUTE_NAMES.length).fill(0)
  readonly #ends: number[] = new Array(ATTRIBUTE_NAMES.length).fill(0)
  /** Whether the tag ended with `/>`. */
  isSelfClosing = false
  /** How many attributes the tag has, known or not. */
  count = 0
  /** Bits of the known attributes of all tags so far. */
  #met = 0

  /** Whether any tag so far had an attribute. */
  hasMet(number: number): boolean {
    return (((this.#met | this.#present) >> number) & 1) === 1
  }

  /** The value of an attribute, with its character references undone as HTML has it. */
  get(number: number): string | undefined {
    const value = this.written(number)
    return value?.includes('&') ? decodeHTMLAttribute(value) : value
  }

  /** The value of an attribute as written. */
  written(number: number): string | undefined {
    if (!((this.#present >> number) & 1)) return undefined
    return this.#html.slice(this.#starts[number], this.#ends[number])
  }

  /** All attributes of the tag, by lower-case name, with their references undone; slow, so for few tags only. */
  all(): ReadonlyMap<string, string> {
    const values = new Map<string, string>()
    const html = this.#html
    let at = this.#start
    while (values.size < MOST_LISTED) {
      at = skipSpace(html, at)
      const code = html.charCodeAt(at)
      if (code === GREATER || Number.isNaN(code)) break
      if (code === SLASH) at++
      else at = listOne(html, at, values)
    }
    return values
  }

  /** Reads what stands between a tag's name and its end; gives the place after it, -1 if none. */
  read(html: string, start: number): number {
    this.#html = html
    this.#start = start
    this.#met |= this.#present
    this.#present = 0
    this.isSelfClosing = false
    this.count = 0
    for (let at = start; ; ) {
      const code = html.charCodeAt(at)
      if (code === GREATER) return at + 1
      if (code <= 32 && ROLES[code] & SPACE) at++
      else if (code === SLASH) {
        this.isSelfClosing = html.charCodeAt(++at) === GREATER
      } else if (at < html.length && this.count++ < MAX_ATTRIBUTES) at = this.#readOne(html, at)
      else return -1
      if (at < 0) return -1
    }
  }

  /** Reads the attribute that begins at `start`; gives the place after it, -1 if it has no end. */
  #readOne(html: string, start: number): number {
    const nameEnd = skipUntil(html, start + 1, ENDS_NAME) // the first may be anything, even `=`
    const afterName = skipSpace(html, nameEnd)
    if (html.charCodeAt(afterName) !== EQUALS) {
      this.#note(html, start, nameEnd, nameEnd, nameEnd)
      return afterName
    }
    const valueStart = skipSpace(html, afterName + 1)
    const code = html.charCodeAt(valueStart)
    if (code === DOUBLE_QUOTE || code === SINGLE_QUOTE) {
      const valueEnd = html.indexOf(code === DOUBLE_QUOTE ? '"' : "'", valueStart + 1)
      if (valueEnd < 0) return -1
      this.#note(html, start, nameEnd, valueStart + 1, valueEnd)
      return valueEnd + 1
    }
    const valueEnd = skipUntil(html, valueStart, ENDS_VALUE)
    this.#note(html, start, nameEnd, valueStart, valueEnd)
    return valueEnd
  }

  /** Of two with one name the first counts. */
  #note(html: string, start: number, end: number, valueStart: number, valueEnd: number): void {
    const length = end - start
    if (length > LONGEST) return
    const number = BY_SHAPE[length * 32 + (html.charCodeAt(start) & 31)] - 1
    if (number < 0 || (this.#present >> number) & 1) return
    const name = ATTRIBUTE_NAMES[number]
    for (let i = 0; i < length; i++)
      if ((html.charCodeAt(start + i) | 32) !== name.charCodeAt(i)) return
    this.#present |= 1 << number
    this.#starts[number] = valueStart
    this.#ends[number] = valueEnd
  }
}
