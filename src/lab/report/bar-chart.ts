import { at, type Frame, frameFor, gridLine, LEGEND_STEP, roundTicks, scale } from './axes.ts'
import { escapeHtml } from './escape.ts'
import { COLOURS } from './series-style.ts'

/** One bar: parts stacked from the bottom, in the order of the parts' names. */
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

const PLOT_HEIGHT = 284
const BOTTOM = 40
/** White lines across a bar tell its parts apart where colours do not. */
const GAP = 1

/** Stacked bars as an SVG element, with an axis, a legend and the values as tooltips. */
export function barChart(bars: readonly Bar[], options: BarChartOptions): string {
  if (bars.length === 0) return `<p>${escapeHtml(options.title)}: no data</p>`
  const frame = frameFor(options.partNames, PLOT_HEIGHT, BOTTOM)
  const { width, height, left, right, top } = frame
  const floor = height - BOTTOM
  const highest = Math.max(...bars.map(({ parts }) => parts.reduce((sum, part) => sum + part, 0)))
  const ticks = roundTicks(0, highest)
  const y = scale(0, ticks[ticks.length - 1], floor, top)
  const step = (width - left - right) / bars.length
  return [
    `<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeHtml(options.title)}">`,
    `<text x="${left}" y="20" class="title">${escapeHtml(options.title)}</text>`,
    ...ticks.map((tick) => gridLine(frame, tick, y(tick))),
    `<text transform="translate(16 ${(top + floor) / 2}) rotate(-90)" class="label">${escapeHtml(options.yLabel)}</text>`,
    ...bars.map((bar, i) => drawBar(bar, left + i * step, step, y, options.partNames)),
    // Names of many bars would run into each other, so every other one stands lower.
    ...bars.map(({ name }, i) =>
      barName(name, left + (i + 0.5) * step, floor + (bars.length > 5 && i % 2 ? 32 : 18)),
    ),
    // From the top down, as the parts are stacked.
    ...options.partNames.map((name, i) =>
      legendEntry(name, i, options.partNames.length - 1 - i, frame),
    ),
    '</svg>',
  ].join('\n')
}

function drawBar(
  { name, parts }: Bar,
  left: number,
  step: number,
  y: (value: number) => number,
  partNames: readonly string[],
): string {
  let sum = 0
  const pieces = parts.map((part, i) => {
    const [bottom, top] = [y(sum), y(sum + part)]
    sum += part
    const title = `<title>${escapeHtml(`${name}, ${partNames[i]}: ${part}`)}</title>`
    return `<rect x="${at(left + step * 0.15)}" y="${at(top)}" width="${at(step * 0.7)}" height="${at(Math.max(0, bottom - top - GAP))}" fill="${COLOURS[i % COLOURS.length]}">${title}</rect>`
  })
  return pieces.join('')
}

function barName(name: string, x: number, y: number): string {
  return `<text x="${at(x)}" y="${y}" class="tick">${escapeHtml(name)}</text>`
}

function legendEntry(name: string, part: number, row: number, frame: Frame): string {
  const top = frame.top + row * LEGEND_STEP
  const left = frame.width - frame.right + 16
  return `<rect x="${left}" y="${top}" width="14" height="14" fill="${COLOURS[part % COLOURS.length]}"/><text x="${left + 22}" y="${top + 11}" class="name">${escapeHtml(name)}</text>`
}
