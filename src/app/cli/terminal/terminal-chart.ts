/** A curve: its values stand at equal steps from left to right. */
interface Curve {
  readonly name: string
  readonly values: readonly number[]
}

const MARKS = ['·', '+', 'x', '●', 'o', '*']
const WIDTH = 64
const HEIGHT = 14

/** Curves drawn with characters, over an axis that holds them all; later ones lie above earlier ones. */
export function terminalChart(curves: readonly Curve[], xLabel: string): string {
  const values = curves.flatMap((curve) => curve.values)
  const low = Math.floor(Math.min(...values) * 20) / 20
  const high = Math.max(low + 0.05, Math.ceil(Math.max(...values) * 20) / 20)
  const cells = Array.from({ length: HEIGHT }, () => new Array<string>(WIDTH).fill(' '))
  for (const [i, curve] of curves.entries())
    for (let column = 0; column < WIDTH; column++) {
      const share = (valueAt(curve.values, column / (WIDTH - 1)) - low) / (high - low)
      cells[Math.round((1 - share) * (HEIGHT - 1))][column] = markOf(i, curves.length)
    }
  const rows = cells.map((row, i) => {
    const isLabelled = i === 0 || i === HEIGHT - 1
    const label = isLabelled ? (i === 0 ? high : low).toFixed(2) : ''
    return `${label.padStart(6)} ${isLabelled ? '┤' : '│'}${row.join('').trimEnd()}`
  })
  const legend = curves.map(({ name }, i) => `${markOf(i, curves.length)} ${name}`).join('   ')
  return [
    ...rows,
    `${' '.repeat(7)}└${'─'.repeat(WIDTH)} ${xLabel}`,
    `${' '.repeat(8)}${legend}`,
  ].join('\n')
}

/** The last curve is what a chart is about: its mark is the boldest. */
function markOf(curve: number, count: number): string {
  if (curve === count - 1) return '█'
  return MARKS[curve % MARKS.length]
}

/** Between two values the straight line. */
function valueAt(values: readonly number[], share: number): number {
  const place = share * (values.length - 1)
  const [before, after] = [Math.floor(place), Math.ceil(place)]
  return values[before] + (place - before) * (values[after] - values[before])
}
