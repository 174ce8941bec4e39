import { type Cell, cellText, table } from './output.ts'
import { terminalWidth } from './terminal-width.ts'

/** Between two columns of a table. */
const GAP = 2

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
