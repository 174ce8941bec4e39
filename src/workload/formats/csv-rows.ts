/** A quoted field may span this many lines; one that goes on is a quote that was forgotten. */
const MAX_LINES_OF_ROW = 20
/** No row of a query log comes near these. */
const MAX_ROW_CHARS = 1 << 20
const MAX_COLUMNS = 1000

/**
 * Cuts lines into the rows of a CSV file (RFC 4180): quoted fields may hold separators, doubled quotes
 * and line breaks. A row that cannot be read costs its first line only.
 */
export class CsvRows {
  readonly #onRow: (fields: readonly string[], line: number) => void
  readonly #onBadLine: (line: number, reason: string) => void
  #separator: string | undefined
  /** Lines of a row whose quote is still open, and what they hold. */
  #open: { text: string; line: number }[] = []
  #openChars = 0
  #row: PartOfRow = { fields: [] }

  constructor(
    onRow: (fields: readonly string[], line: number) => void,
    onBadLine: (line: number, reason: string) => void,
  ) {
    this.#onRow = onRow
    this.#onBadLine = onBadLine
  }

  read(text: string, line: number): void {
    if (text.length > MAX_ROW_CHARS) {
      this.end()
      this.#onBadLine(line, 'longer than 1 MiB')
      return
    }
    this.#open.push({ text, line })
    this.#openChars += text.length
    const found = this.#openChars > MAX_ROW_CHARS ? 'open' : this.#scan(text)
    if (found === 'bad') this.#giveUpFirst('text after a closing quote')
    else if (found === 'wide') this.#giveUpFirst(`more than ${MAX_COLUMNS} columns`)
    else if (found === 'whole') {
      const first = this.#open[0].line
      const { fields } = this.#row
      this.#forget()
      if (fields.length > 1 || fields[0].trim() !== '') this.#onRow(fields, first)
    } else if (this.#open.length === MAX_LINES_OF_ROW || this.#openChars > MAX_ROW_CHARS)
      this.#giveUpFirst('a quote is not closed')
  }

  end(): void {
    while (this.#open.length > 0) this.#giveUpFirst('a quote is not closed')
  }

  #scan(text: string): Found {
    if (this.#separator !== undefined) return scan(text, this.#separator, this.#row)
    const isContinued = this.#open.length > 1
    this.#separator = separatorIn(isContinued ? `"${text}` : text)
    if (this.#separator === undefined || !isContinued)
      return scan(text, this.#separator ?? ',', this.#row)
    // The separator is known only now: the lines before were read with another one.
    this.#row = { fields: [] }
    return scan(this.#open.map((part) => part.text).join('\n'), this.#separator, this.#row)
  }

  /** The first of the open lines was bad; the others may be rows of their own. */
  #giveUpFirst(reason: string): void {
    const [first, ...others] = this.#open
    this.#forget()
    this.#onBadLine(first.line, reason)
    for (const { text, line } of others) this.read(text, line)
  }

  #forget(): void {
    this.#open = []
    this.#openChars = 0
    this.#row = { fields: [] }
  }
}

/** Spreadsheets of some countries write semicolons or tabs. Undefined if there is none outside quotes. */
function separatorIn(row: string): string | undefined {
  const bare = row.replace(/"[^"]*(?:"|$)/g, '')
  return [',', ';', '\t'].find((separator) => bare.includes(separator))
}

/** A row as far as it was read; `open` is the beginning of a field whose quote is not closed yet. */
interface PartOfRow {
  readonly fields: string[]
  open?: string
}

/** `open` if the text ends inside quotes; `bad` if something follows them; `wide` with too many fields. */
type Found = 'whole' | 'open' | 'bad' | 'wide'

/** Reads on in a row, each character once. */
function scan(text: string, separator: string, row: PartOfRow): Found {
  for (let at = 0; ; at++) {
    if (row.fields.length === MAX_COLUMNS) return 'wide'
    if (row.open !== undefined || text[at] === '"') {
      let field = row.open ?? ''
      for (let from = row.open === undefined ? at + 1 : at; ; ) {
        const quote = text.indexOf('"', from)
        if (quote < 0) {
          row.open = `${field}${text.slice(from)}\n`
          return 'open'
        }
        field += text.slice(from, quote)
        at = quote + 1
        if (text[at] !== '"') break
        field += '"'
        from = at + 1
      }
      row.open = undefined
      row.fields.push(field)
    } else {
      const end = text.indexOf(separator, at)
      row.fields.push(text.slice(at, end < 0 ? text.length : end))
      at = end < 0 ? text.length : end
    }
    if (at >= text.length) return 'whole'
    if (text[at] !== separator) return 'bad'
  }
}
