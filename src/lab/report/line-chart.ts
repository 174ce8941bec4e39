import { escapeHtml } from '#parse/text/escape-markup.ts'
import { at, logTicks, roundTicks, scale } from './axes.ts'
import { type Frame, frameFor, gridLine, picture, xTick } from './frame.ts'
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

const PLOT_HEIGHT = 240

type Place = (point: readonly [number, number]) => readonly [number, number]

/** A line chart as an SVG element, with axes, grid, marks and a legend. */
export function lineChart(series: readonly Series[], options: ChartOptions): string {
  const points = series.flatMap((one) => one.points)
  if (points.length === 0) return `<p>${escapeHtml(options.title)}: no data</p>`
  const frame = frameFor(options.title, PLOT_HEIGHT)
  const { width, left, right, top, floor } = frame
  const { ticks: xTicks, place: x } = xAxis(points, options, left, width - right)
  const heights = [
    ...points.map(([, y]) => y),
    ...series.flatMap(({ band = [] }) => band.flat()),
    ...(options.ceiling ? [options.ceiling.y] : []),
  ]
  const yTicks = roundTicks(Math.min(0, ...heights), Math.max(...heights))
  const y = scale(yTicks[0], yTicks[yTicks.length - 1], floor, top)
  const place: Place = ([px, py]) => [x(px), y(py)]
  const drawn = [
    ...yTicks.map((tick) => gridLine(frame, tick, y(tick))),
    ...xTicks.map((tick) => xTick(frame, tick, x(tick))),
    ...(options.ceiling ? [ceilingLine(frame, options.ceiling.name, y(options.ceiling.y))] : []),
    ...series.map((one, i) => drawBand(one, i, place)),
    ...series.map((one, i) => drawSeries(one, i, place)),
  ]
  const legend = series.map(({ name }, i) => ({ name, mark: legendMark(name, i) }))
  return picture(frame, options, drawn, legend)
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

function legendMark(name: string, index: number): (x: number, y: number) => string {
  const { colour, dash, mark } = styleOf(index)
  return (x, y) =>
    `<g stroke="${colour}" fill="${colour}"><line x1="${x}" x2="${x + 28}" y1="${y}" y2="${y}" class="line"${dashes(dash)}/>${drawMark(mark, x + 14, y, name)}</g>`
}

const dashes = (dash: string): string => (dash === '' ? '' : ` stroke-dasharray="${dash}"`)
