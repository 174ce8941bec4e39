import {
  at,
  type Frame,
  frameFor,
  gridLine,
  LEGEND_STEP,
  logTicks,
  roundTicks,
  scale,
  shortNumber,
} from './axes.ts'
import { escapeHtml } from './escape.ts'
import { drawMark, styleOf } from './series-style.ts'

export interface Series {
  readonly name: string
  readonly points: readonly (readonly [x: number, y: number])[]
  /** Between which bounds the truth likely lies, one pair a point. */
  readonly band?: readonly (readonly [low: number, high: number])[]
}

interface ChartOptions {
  readonly title: string
  readonly xLabel: string
  readonly yLabel: string
  /** A logarithmic x axis, for sizes that double. */
  readonly logX?: boolean
  /** Nothing but whole numbers on the x axis. */
  readonly wholeX?: boolean
  /** A horizontal line that no series can pass. */
  readonly ceiling?: { readonly name: string; readonly y: number }
}

const PLOT_HEIGHT = 316
const BOTTOM = 48

type Place = (point: readonly [number, number]) => readonly [number, number]

/** A line chart as an SVG element, with axes, grid, marks and a legend. */
export function lineChart(series: readonly Series[], options: ChartOptions): string {
  const points = series.flatMap((one) => one.points)
  if (points.length === 0) return `<p>${escapeHtml(options.title)}: no data</p>`
  const frame = frameFor(
    series.map(({ name }) => name),
    PLOT_HEIGHT,
    BOTTOM,
  )
  const { width, height, left, right, top } = frame
  const floor = height - BOTTOM
  const { ticks: xTicks, place: x } = xAxis(points, options, left, width - right)
  const heights = [
    ...points.map(([, y]) => y),
    ...series.flatMap(({ band = [] }) => band.flat()),
    ...(options.ceiling ? [options.ceiling.y] : []),
  ]
  const yTicks = roundTicks(Math.min(0, ...heights), Math.max(...heights))
  const y = scale(yTicks[0], yTicks[yTicks.length - 1], floor, top)
  const place: Place = ([px, py]) => [x(px), y(py)]
  return [
    `<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeHtml(options.title)}">`,
    `<text x="${left}" y="20" class="title">${escapeHtml(options.title)}</text>`,
    ...yTicks.map((tick) => gridLine(frame, tick, y(tick))),
    ...xTicks.map((tick) => xTick(tick, x(tick), floor)),
    `<text x="${(left + width - right) / 2}" y="${height - 8}" class="label">${escapeHtml(options.xLabel)}</text>`,
    `<text transform="translate(16 ${(top + floor) / 2}) rotate(-90)" class="label">${escapeHtml(options.yLabel)}</text>`,
    ...(options.ceiling ? [ceilingLine(frame, options.ceiling.name, y(options.ceiling.y))] : []),
    ...series.map((one, i) => drawBand(one, i, place)),
    ...series.map((one, i) => drawSeries(one, i, place)),
    ...series.map(({ name }, i) => legendEntry(name, i, frame)),
    '</svg>',
  ].join('\n')
}

function xAxis(
  points: Series['points'],
  { logX, wholeX }: ChartOptions,
  start: number,
  end: number,
): { ticks: number[]; place: (x: number) => number } {
  const values = points.map(([x]) => x)
  const [low, high] = [Math.min(...values), Math.max(...values)]
  if (logX && low > 0) {
    const place = scale(Math.log(low), Math.log(high), start, end)
    return { ticks: logTicks(low, high), place: (x) => place(Math.log(x)) }
  }
  const ticks = roundTicks(low, high, wholeX ? 1 : 0)
  return { ticks, place: scale(ticks[0], ticks[ticks.length - 1], start, end) }
}

function xTick(tick: number, x: number, floor: number): string {
  return `<line x1="${at(x)}" x2="${at(x)}" y1="${floor}" y2="${floor + 5}" class="axis"/><text x="${at(x)}" y="${floor + 18}" class="tick">${shortNumber(tick)}</text>`
}

/** Named below the line, as the title is above. */
function ceilingLine({ left, width, right }: Frame, name: string, y: number): string {
  return `<line x1="${left}" x2="${width - right}" y1="${at(y)}" y2="${at(y)}" class="axis" stroke-dasharray="4 4"/><text x="${left + 6}" y="${at(y + 14)}">${escapeHtml(name)}</text>`
}

function drawBand({ points, band }: Series, index: number, place: Place): string {
  if (!band || band.length < 2) return ''
  const corner = (x: number, y: number) => place([x, y]).map(at).join(' ')
  const upper = points.map(([x], i) => corner(x, band[i][1]))
  const lower = points.map(([x], i) => corner(x, band[i][0])).reverse()
  return `<path d="M${[...upper, ...lower].join('L')}Z" fill="${styleOf(index).colour}" class="band"/>`
}

function drawSeries({ name, points }: Series, index: number, place: Place): string {
  const { colour, dash, mark } = styleOf(index)
  const placed = points.map(place)
  const path = placed.map(([x, y], i) => `${i === 0 ? 'M' : 'L'}${at(x)} ${at(y)}`).join('')
  return [
    `<g stroke="${colour}" fill="${colour}">`,
    `<path d="${path}" class="line"${dashes(dash)}/>`,
    ...placed.map(([x, y], i) => drawMark(mark, x, y, `${name}: ${points[i].join(', ')}`)),
    '</g>',
  ].join('')
}

function legendEntry(name: string, index: number, { width, right, top }: Frame): string {
  const { colour, dash, mark } = styleOf(index)
  const y = top + 8 + index * LEGEND_STEP
  const x = width - right + 16
  return [
    `<g stroke="${colour}" fill="${colour}">`,
    `<line x1="${x}" x2="${x + 24}" y1="${y}" y2="${y}" class="line"${dashes(dash)}/>`,
    drawMark(mark, x + 12, y, name),
    `<text x="${x + 32}" y="${y + 4}" class="name">${escapeHtml(name)}</text></g>`,
  ].join('')
}

const dashes = (dash: string): string => (dash === '' ? '' : ` stroke-dasharray="${dash}"`)
