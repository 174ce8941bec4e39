import { plainJson, plainLines, plainText } from '#parse/text/plain-text.ts'
import { terminalWidth } from './terminal-width.ts'

/** Where a command's words go: results to stdout, everything else to stderr. */
export interface Output {
  /** With --json: only one JSON value on stdout. */
  readonly json: boolean
  /** The result: `value` for machines, `text` for people. */
  result(value: unknown, text: () => string): void
  /** A remark for people, never on stdout. */
  note(text: string): void
}

/** Takes away what stands in the terminal's line, such as how far a crawl has come. */
export const CLEARED_LINE = '\r\x1b[2K'

export function outputFor(options: { json?: boolean }): Output {
  const json = options.json === true
  return {
    json,
    result: (value, text) => {
      process.stdout.write(`${json ? plainJson(value) : plainLines(text())}\n`)
    },
    note: (text) => {
      const begun = process.stderr.isTTY ? CLEARED_LINE : ''
      process.stderr.write(`${begun}${plainLines(text)}\n`)
    },
  }
}

/** Rows under a header, columns aligned; numbers to the right. */
export function table(header: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const cells = [header, ...rows.map((row) => row.map(cellText))]
  const widths = header.map((_, i) =>
    cells.reduce((most, row) => Math.max(most, terminalWidth(row[i])), 0),
  )
  const numeric = header.map(
    (_, i) => rows.length > 0 && rows.every((row) => typeof row[i] === 'number'),
  )
  const line = (row: readonly string[]) =>
    row
      .map((cell, i) => {
        const blank = ' '.repeat(widths[i] - terminalWidth(cell))
        return numeric[i] ? blank + cell : cell + blank
      })
      .join('  ')
      .trimEnd()
  return [
    line(cells[0]),
    widths.map((width) => '─'.repeat(width)).join('  '),
    ...cells.slice(1).map(line),
  ].join('\n')
}

export type Cell = string | number

/** A cell as a table shows it. */
export function cellText(cell: Cell): string {
  return typeof cell === 'string' ? plainText(cell) : shortNumber(cell)
}

/** Values so small only keep an order, as `linkValue` of `acquire/candidate-values.ts` does: to a reader they are 0. */
const NEGLIGIBLE = 1e-12

/** A number for people: whole and large ones in full, others with three digits or places. */
export function shortNumber(value: number): string {
  if (Math.abs(value) < NEGLIGIBLE) return '0'
  if (Number.isInteger(value) || Math.abs(value) >= 100) return count(Math.round(value))
  return Math.abs(value) >= 0.01 ? value.toFixed(3) : value.toPrecision(3)
}

/** So many of something: 1 page, 1,200 pages. */
export function some(number: number, noun: string, nouns = `${noun}s`): string {
  return `${count(number)} ${number === 1 ? noun : nouns}`
}

/** A whole number as people write it. */
export function count(number: number): string {
  return number.toLocaleString('en')
}

/** 2.5 → "2.500 days", 0.01 → "14 min 24 s". */
export function daysText(days: number): string {
  return days < 1 ? duration(days * 86_400) : `${shortNumber(days)} days`
}

/** 75 → "1 min 15 s". */
export function duration(seconds: number): string {
  const whole = Math.round(seconds)
  if (whole < 60) return seconds < 10 ? `${seconds.toFixed(1)} s` : `${whole} s`
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`
}
