import { MAX_TEXT_CHARS } from '../page/page.ts'
import type { DocumentText } from './document-text.ts'

/** A piece of text on a page, as a reader of PDF finds it. */
export interface PdfPiece {
  readonly text: string
  /** Where its baseline begins, in points from the left and from the bottom, and how far it goes. */
  readonly x: number
  readonly y: number
  readonly width: number
  readonly size: number
  /** The reader is sure that a line ends here. */
  readonly endsLine: boolean
}

interface Line {
  readonly page: number
  text: string
  readonly y: number
  size: number
  /** Where its last piece ended. */
  end: number
}

/** Pieces farther apart than this share of their size are words of their own. */
const WORD_GAP = 0.15
/** Baselines that differ by more of it are other lines. */
const LINE_GAP = 0.5
/** Lines of a paragraph are no farther apart than so many times their size, and about as large as each other. */
const PARAGRAPH_GAP = 1.75
const SAME_SIZE = 0.12
/** What stands on top or at the bottom of this share of the pages, apart from numbers, is no part of the text. */
const REPEATED_SHARE = 0.3
const LEAST_REPEATS = 3
const EDGE_LINES = 2
/** A title is so many times as large as most of the text. */
const TITLE_SIZE = 1.15
const HYPHEN = /\p{L}[-\u00ad]$/u
const SMALL_LETTER = /^\p{Ll}/u

/** The lines of a PDF, page by page, up to the length of a page's text. */
export class PdfLines {
  readonly #lines: Line[] = []
  #pages = 0
  #chars = 0

  get isFull(): boolean {
    return this.#chars >= MAX_TEXT_CHARS
  }

  addPage(pieces: readonly PdfPiece[]): void {
    const page = this.#pages++
    let line: Line | undefined
    for (const piece of pieces) {
      const { text, x, y, width, size, endsLine } = piece
      if (text !== '') {
        const isSame = line !== undefined && Math.abs(y - line.y) <= LINE_GAP * (size || line.size)
        if (!line || !isSame) {
          line = { page, text: '', y, size, end: x }
          this.#lines.push(line)
        }
        const isApart = x - line.end > WORD_GAP * size || line.end - x > 2 * size
        line.text += isApart && line.text !== '' ? ` ${text}` : text
        line.end = x + width
        line.size = Math.max(line.size, size)
        this.#chars += text.length
      }
      if (endsLine) line = undefined
    }
  }

  /** Hands on the text, a line for each paragraph; tells which are not what the document is about. */
  addTo(text: DocumentText): void {
    const lines = this.#lines.filter((line) => line.text.trim() !== '')
    const repeated = repeatedLines(lines, this.#pages)
    text.heading ??= largestOfFirstPage(lines.filter((line) => !repeated.has(line)))
    const asides: number[] = []
    let count = 0
    for (let at = 0; at < lines.length; ) {
      const isAside = repeated.has(lines[at])
      const end = isAside ? at + 1 : endOfParagraph(lines, at, repeated)
      text.addLine(joined(lines.slice(at, end)))
      if (isAside !== asides.length % 2 > 0) asides.push(count)
      count++
      at = end
    }
    if (asides.length % 2 > 0) asides.push(count)
    text.setAsides(asides)
  }
}

function endOfParagraph(
  lines: readonly Line[],
  start: number,
  repeated: ReadonlySet<Line>,
): number {
  let end = start + 1
  for (; end < lines.length && !repeated.has(lines[end]); end++) {
    const [line, next] = [lines[end - 1], lines[end]]
    const drop = line.y - next.y
    const isNear = next.page === line.page && drop > 0 && drop <= PARAGRAPH_GAP * next.size
    if (!isNear || Math.abs(next.size - line.size) > SAME_SIZE * line.size) break
  }
  return end
}

/** Lines as running text: words that were divided at a line's end are whole again. */
function joined(lines: readonly Line[]): string {
  const parts: string[] = []
  for (const { text } of lines) {
    const line = text.trim()
    const last = parts.at(-1)
    if (last !== undefined && HYPHEN.test(last) && SMALL_LETTER.test(line))
      parts[parts.length - 1] = last.slice(0, -1) + line
    else parts.push(line)
  }
  return parts.join(' ')
}

/** Running heads and feet: first and last lines that pages share but for numbers. */
function repeatedLines(lines: readonly Line[], pages: number): Set<Line> {
  const edges: Line[] = []
  for (let at = 0; at < lines.length; ) {
    let end = at
    while (end < lines.length && lines[end].page === lines[at].page) end++
    const ofPage = lines.slice(at, end).toSorted((a, b) => b.y - a.y)
    edges.push(...ofPage.slice(0, EDGE_LINES), ...ofPage.slice(EDGE_LINES).slice(-EDGE_LINES))
    at = end
  }
  const counts = new Map<string, number>()
  for (const line of edges) counts.set(keyOf(line), (counts.get(keyOf(line)) ?? 0) + 1)
  const least = Math.max(LEAST_REPEATS, REPEATED_SHARE * pages)
  return new Set(edges.filter((line) => counts.get(keyOf(line))! >= least))
}

function keyOf({ text }: Line): string {
  return text
    .trim()
    .replace(/\d+|\b[ivxl]+\b/g, '#')
    .slice(0, 200)
}

function largestOfFirstPage(lines: readonly Line[]): string | undefined {
  const first = lines.filter(({ page }) => page === 0)
  const sizes = lines.map(({ size }) => size).toSorted((a, b) => a - b)
  const usual = sizes[sizes.length >> 1] ?? 0
  const largest = first.reduce((most, { size }) => Math.max(most, size), 0)
  if (largest < TITLE_SIZE * usual) return undefined
  const from = first.findIndex(({ size }) => size === largest)
  let end = from
  while (end < first.length && Math.abs(first[end].size - largest) <= SAME_SIZE * largest) end++
  return joined(first.slice(from, end))
}
