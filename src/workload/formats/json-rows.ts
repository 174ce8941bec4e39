import { isJsonObject } from '#parse/text/json-value.ts'

/** No record of a query log is longer; parsed, one of many small values takes fifty times its length. */
export const MAX_RECORD_CHARS = 1 << 20

/**
 * Cuts a JSON document into the objects of its first list, as in `[{…}, {…}]` or `{"rows": [{…}]}`,
 * line by line. An object that is no JSON costs itself only.
 */
export class JsonRows {
  readonly #onRow: (row: Readonly<Record<string, unknown>>, line: number) => void
  readonly #onBadLine: (line: number, reason: string) => void
  #place: 'before the list' | 'between rows' | 'in a row' | 'after the list' = 'before the list'
  #row = ''
  #rowChars = 0
  #rowLine = 1
  /** Open brackets of the row being read. */
  #depth = 0
  #inString = false
  #isEscaped = false
  #strayLine: number | undefined

  constructor(
    onRow: (row: Readonly<Record<string, unknown>>, line: number) => void,
    onBadLine: (line: number, reason: string) => void,
  ) {
    this.#onRow = onRow
    this.#onBadLine = onBadLine
  }

  read(text: string, line: number): void {
    let start = 0
    for (let at = 0; at < text.length; at++) {
      const inString = this.#followString(text[at])
      if (this.#place === 'in a row') {
        if (inString || !this.#closesRow(text[at])) continue
        this.#keep(text.slice(start, at + 1))
        this.#emit()
      } else if (this.#step(text[at], inString, line)) start = at
    }
    this.#inString = false // no string of JSON spans lines
    if (this.#place === 'in a row') this.#keep(`${text.slice(start)}\n`)
  }

  end(): void {
    if (this.#place === 'in a row') this.#onBadLine(this.#rowLine, 'the file ends inside this row')
    if (this.#place === 'before the list') this.#onBadLine(1, 'holds no list of rows')
    if (this.#place === 'between rows') this.#onBadLine(this.#rowLine, 'the list is cut off here')
  }

  /** A row that is too long is dropped, but its end is still looked for. */
  #keep(text: string): void {
    this.#rowChars += text.length
    this.#row = this.#rowChars > MAX_RECORD_CHARS ? '' : this.#row + text
  }

  /** Whether the character belongs to a string, quotes included. */
  #followString(character: string): boolean {
    if (!this.#inString) {
      this.#inString = character === '"'
      return this.#inString
    }
    if (this.#isEscaped) this.#isEscaped = false
    else if (character === '\\') this.#isEscaped = true
    else if (character === '"') this.#inString = false
    return true
  }

  /** Outside of rows; gives whether a row begins. */
  #step(character: string, inString: boolean, line: number): boolean {
    if (this.#place === 'before the list') {
      if (!inString && character === '[') this.#place = 'between rows'
      return false
    }
    if (this.#place === 'after the list' || /[\s,]/.test(character)) return false
    if (inString || !/[[{\]]/.test(character)) {
      this.#strayLine ??= line
      return false
    }
    if (this.#strayLine !== undefined) this.#onBadLine(this.#strayLine, 'a row is no JSON object')
    this.#strayLine = undefined
    this.#place = character === ']' ? 'after the list' : 'in a row'
    if (character === ']') return false
    this.#rowLine = line
    this.#depth = 1
    return true
  }

  #closesRow(character: string): boolean {
    if (character === '{' || character === '[') this.#depth++
    else if (character === '}' || character === ']') this.#depth--
    return this.#depth === 0
  }

  #emit(): void {
    const text = this.#row
    this.#row = ''
    this.#rowChars = 0
    this.#place = 'between rows'
    const row = parsedRecord(text)
    if (row === undefined) this.#onBadLine(this.#rowLine, 'a row is no JSON object')
    else this.#onRow(row, this.#rowLine)
  }
}

/** The object a text stands for; undefined if it is no JSON or something else. */
function parsedRecord(text: string): Record<string, unknown> | undefined {
  const value = parsedJson(text)
  return isJsonObject(value) ? value : undefined
}

/** What a text stands for; undefined if it is no JSON. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * A text or a number as text; undefined for anything else, since `String` would recurse into
 * nesting or call a record's `toString`.
 */
export function scalarText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}
