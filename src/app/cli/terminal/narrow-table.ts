import { type Cell, cellText, table } from './output.ts'
import { terminalWidth } from './terminal-width.ts'

/** Between two columns of a table. */
const GAP = 2
/** The names of columns, and the line below them. */
const HEADER_LINES = 2
const INDENT = '        '

/**
 * A table no wider than the screen: columns that do not fit beside each other follow below, each time after the
 * columns that say what a line is about. Those are the words at its left.
 */
export function narrowTable(
  header: readonly string[],
  rows: readonly (readonly Cell[])[],
  width: number,
): string {
  const widths = header.map((name, i) =>
    rows.reduce(
      (most, row) => Math.max(most, terminalWidth(cellText(row[i]))),
      terminalWidth(name),
    ),
  )
  const firstNumber = header.findIndex((_, i) => rows.some((row) => typeof row[i] === 'number'))
  const labels = header.map((_, i) => i).slice(0, Math.max(1, firstNumber))
  const room = width - labels.reduce((sum, i) => sum + widths[i] + GAP, 0)
  const blocks: number[][] = [[]]
  let used = 0
  for (let i = labels.length; i < header.length; i++) {
    if (used > 0 && used + widths[i] > room) {
      blocks.push([])
      used = 0
    }
    blocks[blocks.length - 1].push(i)
    used += widths[i] + GAP
  }
  return blocks
    .map((block) => {
      const columns = [...labels, ...block]
      return table(
        columns.map((i) => header[i]),
        rows.map((row) => columns.map((i) => row[i])),
      )
    })
    .join('\n\n')
}

/**
 * A table whose last column is words: where the screen has no room for all of them, they stand below their line, so
 * that the columns stay columns.
 */
export function tableWithWords(
  header: readonly string[],
  rows: readonly (readonly Cell[])[],
  width: number,
): string {
  const whole = table(header, rows)
  if (whole.split('\n').every((line) => terminalWidth(line) <= width)) return whole
  const columns = table(
    header.slice(0, -1),
    rows.map((row) => row.slice(0, -1)),
  ).split('\n')
  const words = rows.map((row) => wrapped(cellText(row.at(-1)!), width - INDENT.length))
  return columns
    .flatMap((line, i) => {
      const below = words[i - HEADER_LINES]
      return below ? [line, ...below.split('\n').map((text) => INDENT + text)] : [line]
    })
    .join('\n')
}

/** Without a screen nothing is too wide. */
export function screenWidth(): number {
  return process.stdout.columns || Number.POSITIVE_INFINITY
}

/** Words in lines no wider than the screen. */
export function wrapped(text: string, width: number): string {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const line = lines.at(-1)
    if (line !== undefined && terminalWidth(`${line} ${word}`) <= width)
      lines[lines.length - 1] = `${line} ${word}`
    else lines.push(word)
  }
  return lines.join('\n')
}
