import { escapeHtml } from '#parse/text/escape-markup.ts'
import { at, roundTicks, scale, shortNumber } from './axes.ts'
import { frameFor, picture, roomFor } from './frame.ts'
import { COLOURS } from './series-style.ts'

/** One bar: parts one after the other, in the order of the parts' names. */
interface Bar {
  readonly name: string
  readonly parts: readonly number[]
}

interface BarChartOptions {
  readonly title: string
  readonly yLabel: string
  /** What the parts of every bar are. */
  readonly partNames: readonly string[]
}

const THICKNESS = 18
/** White lines across a bar tell its parts apart where colours do not. */
const GAP = 1
/** Names that take more room than this stand above their bars, not before them. */
const MOST_BEFORE = 160

/** Bars from left to right as an SVG element, each with its name and, behind it, its sum, unless that is the same for all. */
export function barChart(
  bars: readonly Bar[],
  { title, yLabel, partNames }: BarChartOptions,
): string {
  if (bars.length === 0) return `<p>${escapeHtml(title)}: no data</p>`
  const room = roomFor(bars.map(({ name }) => name))
  const isAbove = room > MOST_BEFORE
  const step = isAbove ? THICKNESS + 24 : THICKNESS + 8
  const frame = frameFor(title, step * bars.length, isAbove ? 16 : room)
  const { width, left, right, top, floor } = frame
  const sumOf = ({ parts }: Bar) => parts.reduce((sum, part) => sum + part, 0)
  const sums = bars.map((bar) => shortNumber(Number(sumOf(bar).toPrecision(3))))
  const isEach = partNames.length === 1 || new Set(sums).size > 1
  const ticks = roundTicks(0, Math.max(...bars.map(sumOf)))
  const x = scale(0, ticks[ticks.length - 1], left, width - right - 40)
  const drawn = [
    ...ticks.map(
      (tick) =>
        `<line x1="${at(x(tick))}" x2="${at(x(tick))}" y1="${top}" y2="${floor}" class="grid"/><text x="${at(x(tick))}" y="${floor + 18}" class="tick">${shortNumber(tick)}</text>`,
    ),
    ...bars.map((bar, i) => {
      const middle = top + step * (i + 1) - THICKNESS / 2 - 4
      const sum = isEach
        ? `<text x="${at(x(sumOf(bar)) + 4)}" y="${middle + 4}">${sums[i]}</text>`
        : ''
      const name = isAbove
        ? `<text x="${left}" y="${middle - THICKNESS / 2 - 4}" class="name">`
        : `<text x="${left - 6}" y="${middle + 4}" class="name end">`
      return `${name}${escapeHtml(bar.name)}</text>${drawParts(bar, middle, x, partNames)}${sum}`
    }),
  ]
  const legend = partNames.map((name, i) => ({
    name,
    mark: (x: number, y: number) =>
      `<rect x="${x + 8}" y="${y - 7}" width="14" height="14" fill="${COLOURS[i % COLOURS.length]}"/>`,
  }))
  const words = { title, xLabel: yLabel, yLabel: '' }
  return picture(frame, words, drawn, legend.length > 1 ? legend : [])
}

function drawParts(
  { name, parts }: Bar,
  middle: number,
  x: (value: number) => number,
  partNames: readonly string[],
): string {
  let sum = 0
  const pieces = parts.map((part, i) => {
    const [start, end] = [x(sum), x(sum + part)]
    sum += part
    const title = `<title>${escapeHtml(`${name}, ${partNames[i]}: ${part}`)}</title>`
    return `<rect x="${at(start)}" y="${middle - THICKNESS / 2}" width="${at(Math.max(0, end - start - GAP))}" height="${THICKNESS}" fill="${COLOURS[i % COLOURS.length]}">${title}</rect>`
  })
  return pieces.join('')
}
