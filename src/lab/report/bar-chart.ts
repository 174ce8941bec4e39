import { escapeHtml } from './escape.ts'
import { COLOURS, roundTicks, scale, shortNumber } from './line-chart.ts'

/** One bar: parts stacked from the bottom, in the order of the parts' names. */
export interface Bar {
  readonly name: string
  readonly parts: readonly number[]
}

export interface BarChartOptions {
  readonly title: string
  readonly yLabel: string
  /** What the parts of every bar are. */
  readonly partNames: readonly string[]
}

const WIDTH = 760
const HEIGHT = 360
const LEFT = 64
const RIGHT = 170
const TOP = 36
const BOTTOM = 40
/** White lines across a bar tell its parts apart where colours do not. */
const GAP = 1

/** Stacked bars as an SVG element, with an axis, a legend and the values as tooltips. */
export function barChart(bars: readonly Bar[], options: BarChartOptions): string {
  if (bars.length === 0) return `<p>${escapeHtml(options.title)}: no data</p>`
  const highest = Math.max(...bars.map(({ parts }) => parts.reduce((sum, part) => sum + part, 0)))
  const ticks = roundTicks(0, highest)
  const y = scale(0, ticks[ticks.length - 1], HEIGHT - BOTTOM, TOP)
  const step = (WIDTH - LEFT - RIGHT) / bars.length
  return [
    `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escapeHtml(options.title)}">`,
    `<text x="${LEFT}" y="20" class="title">${escapeHtml(options.title)}</text>`,
    ...ticks.map((tick) => gridLine(tick, y(tick))),
    `<text transform="translate(16 ${(TOP + HEIGHT - BOTTOM) / 2}) rotate(-90)" class="label">${escapeHtml(options.yLabel)}</text>`,
    ...bars.map((bar, i) => drawBar(bar, LEFT + i * step, step, y, options.partNames)),
    ...options.partNames.map(legendEntry),
    '</svg>',
  ].join('\n')
}

function gridLine(tick: number, y: number): string {
  return `<line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${round(y)}" y2="${round(y)}" class="grid"/><text x="${LEFT - 8}" y="${round(y + 4)}" class="tick end">${shortNumber(tick)}</text>`
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
    return `<rect x="${round(left + step * 0.15)}" y="${round(top)}" width="${round(step * 0.7)}" height="${round(Math.max(0, bottom - top - GAP))}" fill="${COLOURS[i % COLOURS.length]}">${title}</rect>`
  })
  const label = `<text x="${round(left + step / 2)}" y="${HEIGHT - BOTTOM + 18}" class="tick">${escapeHtml(name)}</text>`
  return pieces.join('') + label
}

function legendEntry(name: string, i: number): string {
  const top = TOP + i * 20
  const left = WIDTH - RIGHT + 16
  return `<rect x="${left}" y="${top}" width="14" height="14" fill="${COLOURS[i % COLOURS.length]}"/><text x="${left + 22}" y="${top + 11}" class="name">${escapeHtml(name)}</text>`
}

const round = (coordinate: number): string => String(Math.round(coordinate * 10) / 10)
