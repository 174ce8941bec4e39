/** A quoted field may span this many lines; one that goes on is a quote that was forgotten. */
const MAX_LINES_OF_ROW = 20

/**
 * Cuts lines into the rows of a CSV file (RFC 4180): quoted fields may hold separators, doubled quotes
 * and line breaks. A row that cannot be read costs its first line only.
 */
export class CsvRows {
  readonly #onRow: (fields: readonly string[], line: number) => void
  readonly #onBadLine: (line: number, reason: string) => void
  #separator: string | undefined
  /** Lines of a row whose quote is still open. */
  #open: { text: string; line: number }[] = []

  constructor(
    onRow: (fields: readonly string[], line: number) => void,
    onBadLine: (line: number, reason: string) => void,
  ) {
    this.#onRow = onRow
    this.#onBadLine = onBadLine
  }

  read(text: string, line: number): void {
    this.#open.push({ text, line })
    const row = this.#open.map((part) => part.text).join('\n')
    this.#separator ??= separatorIn(row)
    const fields = fieldsOf(row, this.#separator ?? ',')
    if (fields === 'open' && this.#open.length < MAX_LINES_OF_ROW) return
    if (fields === 'open') this.#giveUpFirst('a quote is not closed')
    else if (fields === 'bad') this.#giveUpFirst('text after a closing quote')
    else {
      const first = this.#open[0].line
      this.#open = []
      if (fields.length > 1 || fields[0].trim() !== '') this.#onRow(fields, first)
    }
  }

  end(): void {
    while (this.#open.length > 0) this.#giveUpFirst('a quote is not closed')
  }

  /** The first of the open lines was bad; the others may be rows of their own. */
  #giveUpFirst(reason: string): void {
    const [first, ...others] = this.#open
    this.#open = []
    this.#onBadLine(first.line, reason)
    for (const { text, line } of others) this.read(text, line)
  }
}

/** Spreadsheets of some countries write semicolons or tabs. Undefined if there is none outside quotes. */
function separatorIn(row: string): string | undefined {
  const bare = row.replace(/"(?:[^"]|"")*(?:"|$)/g, '')
  return [',', ';', '\t'].find((separator) => bare.includes(separator))
}

/** `open` if the text ends inside quotes; `bad` if something follows them. */
function fieldsOf(text: string, separator: string): string[] | 'open' | 'bad' {
  const fields: string[] = []
  for (let at = 0; ; at++) {
    if (text[at] === '"') {
      let field = ''
      for (let from = at + 1; ; ) {
        const quote = text.indexOf('"', from)
        if (quote < 0) return 'open'
        field += text.slice(from, quote)
        at = quote + 1
        if (text[at] !== '"') break
        field += '"'
        from = at + 1
      }
      fields.push(field)
    } else {
      const end = text.indexOf(separator, at)
      fields.push(text.slice(at, end < 0 ? text.length : end))
      at = end < 0 ? text.length : end
    }
    if (at >= text.length) return fields
    if (text[at] !== separator) return 'bad'
  }
}
