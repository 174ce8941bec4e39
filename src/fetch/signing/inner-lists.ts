/** A value of a structured field; of kinds that we have no use for, such as dates, the text alone. */
type BareItem = string | number | boolean | { readonly raw: string }

type ItemParams = ReadonlyMap<string, BareItem>

/** A list of strings in a dictionary, with parameters of each and of the whole. */
export interface InnerList {
  readonly items: readonly { readonly name: string; readonly params: ItemParams }[]
  readonly params: ItemParams
}

/**
 * A dictionary of lists of strings, which `Signature-Input` and `Accept-Signature` are (RFC 9651 §4.2.2). A text that is
 * malformed anywhere has no members, as the standard wants.
 */
export function parseInnerLists(text: string): ReadonlyMap<string, InnerList> {
  const members = new Map<string, InnerList>()
  const reader = new FieldReader(text.trim())
  while (!reader.isAtEnd) {
    const key = reader.take(KEY)
    const list = key !== undefined && reader.take(/=/y) ? reader.innerList() : undefined
    if (key === undefined || !list) return NONE
    members.set(key, list)
    if (!reader.isAtEnd && (!reader.take(/[ \t]*,[ \t]*/y) || reader.isAtEnd)) return NONE
  }
  return members
}

const NONE: ReadonlyMap<string, InnerList> = new Map()
const KEY = /[a-z*][a-z0-9_.*-]*/y
const STRING = /"(?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])*"/y
const NUMBER = /-?\d{1,15}(?:\.\d{1,3})?/y
const BOOLEAN = /\?[01]/y
/** Tokens, bytes and dates. */
const OTHER = /[A-Za-z*][!#$%&'*+.^_`|~0-9A-Za-z:/-]*|:[A-Za-z0-9+/=]*:|@-?\d{1,15}/y

/** Reads a field from left to right; what does not fit is undefined. */
class FieldReader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  get isAtEnd(): boolean {
    return this.#at === this.#text.length
  }

  take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at
    const [found] = pattern.exec(this.#text) ?? []
    this.#at += found?.length ?? 0
    return found
  }

  innerList(): InnerList | undefined {
    if (!this.take(/\( */y)) return undefined
    const items = []
    while (!this.take(/\)/y)) {
      const name = this.#string()
      const params = name === undefined ? undefined : this.#params()
      if (name === undefined || !params) return undefined
      items.push({ name, params })
      if (!this.take(/ +/y) && this.#text[this.#at] !== ')') return undefined
    }
    const params = this.#params()
    return params && { items, params }
  }

  #params(): ItemParams | undefined {
    const params = new Map<string, BareItem>()
    while (this.take(/; */y)) {
      const name = this.take(KEY)
      // A parameter without a value is true.
      const value = this.take(/=/y) ? this.#bareItem() : true
      if (name === undefined || value === undefined) return undefined
      params.set(name, value)
    }
    return params
  }

  #bareItem(): BareItem | undefined {
    const text = this.#string()
    if (text !== undefined) return text
    const number = this.take(NUMBER)
    if (number !== undefined) return Number(number)
    const truth = this.take(BOOLEAN)
    if (truth !== undefined) return truth === '?1'
    const raw = this.take(OTHER)
    return raw === undefined ? undefined : { raw }
  }

  #string(): string | undefined {
    return this.take(STRING)?.slice(1, -1).replace(/\\(.)/g, '$1')
  }
}
