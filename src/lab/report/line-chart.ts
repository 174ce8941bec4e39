import { escapeHtml } from './escape.ts'

export interface Series {
  readonly name: string
  readonly points: readonly (readonly [x: number, y: number])[]
  /** Between which bounds the truth likely lies, one pair a point. */
  readonly band?: readonly (readonly [low: number, high: number])[]
}

export interface ChartOptions {
  readonly title: string
  readonly xLabel: string
  readonly yLabel: string
  /** A logarithmic x axis, for sizes that double. */
  readonly logX?: boolean
  /** A horizontal line that no series can pass. */
  readonly ceiling?: { readonly name: string; readonly y: number }
}

/** Okabe and Ito's palette: told apart by colour-blind readers too; dashes and marks help in print. */
export const COLOURS = [
  '#0072b2',
  '#d55e00',
  '#009e73',
  '#cc79a7',
  '#e69f00',
  '#56b4e9',
  '#000000',
  '#7f7f7f',
]
const DASHES = ['', '6 3', '2 3', '8 3 2 3']
const WIDTH = 760
const HEIGHT = 400
const LEFT = 64
const RIGHT = 170
const TOP = 36
const BOTTOM = 48
const LEGEND_STEP = 20

/** A line chart as an SVG element, with axes, grid, marks and a legend. */
export function lineChart(series: readonly Series[], options: ChartOptions): string {
  const points = series.flatMap((one) => one.points)
  if (points.length === 0) return `<p>${escapeHtml(options.title)}: no data</p>`
  const xTicks = options.logX
    ? [...new Set(points.map(([x]) => x))].sort((a, b) => a - b)
    : roundTicks(Math.min(...points.map(([x]) => x)), Math.max(...points.map(([x]) => x)))
  const heights = [
    ...points.map(([, y]) => y),
    ...series.flatMap(({ band = [] }) => band.flat()),
    ...(options.ceiling ? [options.ceiling.y] : []),
  ]
  const yTicks = roundTicks(Math.min(0, ...heights), Math.max(...heights))
  // A long legend makes the picture higher rather than running out of it.
  const height = Math.max(HEIGHT, TOP + BOTTOM + series.length * LEGEND_STEP)
  const warp = options.logX ? (x: number) => Math.log(Math.max(x, 1e-12)) : (x: number) => x
  const x = scale(warp(xTicks[0]), warp(xTicks[xTicks.length - 1]), LEFT, WIDTH - RIGHT)
  const y = scale(yTicks[0], yTicks[yTicks.length - 1], height - BOTTOM, TOP)
  const place = ([px, py]: readonly [number, number]) => [x(warp(px)), y(py)] as const
  return [
    `<svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${escapeHtml(options.title)}">`,
    `<text x="${LEFT}" y="20" class="title">${escapeHtml(options.title)}</text>`,
    ...yTicks.map((tick) => gridLine(tick, y(tick))),
    ...xTicks.map((tick) => xTick(tick, x(warp(tick)), height - BOTTOM)),
    `<text x="${(LEFT + WIDTH - RIGHT) / 2}" y="${height - 8}" class="label">${escapeHtml(options.xLabel)}</text>`,
    `<text transform="translate(16 ${(TOP + height - BOTTOM) / 2}) rotate(-90)" class="label">${escapeHtml(options.yLabel)}</text>`,
    ...(options.ceiling ? [ceilingLine(options.ceiling.name, y(options.ceiling.y))] : []),
    ...series.map((one, i) => drawBand(one, i, place)),
    ...series.map((one, i) => drawSeries(one, i, place)),
    '</svg>',
  ].join('\n')
}

function gridLine(tick: number, y: number): string {
  return `<line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${at(y)}" y2="${at(y)}" class="grid"/><text x="${LEFT - 8}" y="${at(y + 4)}" class="tick end">${shortNumber(tick)}</text>`
}

function xTick(tick: number, x: number, floor: number): string {
  return `<line x1="${at(x)}" x2="${at(x)}" y1="${floor}" y2="${floor + 5}" class="axis"/><text x="${at(x)}" y="${floor + 18}" class="tick">${shortNumber(tick)}</text>`
}

function ceilingLine(name: string, y: number): string {
  return `<line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${at(y)}" y2="${at(y)}" class="axis" stroke-dasharray="4 4"/><text x="${LEFT + 6}" y="${at(y + 14)}">${escapeHtml(name)}</text>`
}

function drawBand(
  { points, band }: Series,
  index: number,
  place: (point: readonly [number, number]) => readonly [number, number],
): string {
  if (!band || band.length < 2) return ''
  const corner = (x: number, y: number) => place([x, y]).map(at).join(' ')
  const upper = points.map(([x], i) => corner(x, band[i][1]))
  const lower = points.map(([x], i) => corner(x, band[i][0])).reverse()
  return `<path d="M${[...upper, ...lower].join('L')}Z" fill="${COLOURS[index % COLOURS.length]}" class="band"/>`
}

function drawSeries(
  { name, points }: Series,
  index: number,
  place: (point: readonly [number, number]) => readonly [number, number],
): string {
  const colour = COLOURS[index % COLOURS.length]
  const dash = DASHES[Math.floor(index / COLOURS.length) % DASHES.length]
  const placed = points.map(place)
  const path = placed.map(([x, y], i) => `${i === 0 ? 'M' : 'L'}${at(x)} ${at(y)}`).join('')
  const legendY = TOP + 8 + index * LEGEND_STEP
  const legendX = WIDTH - RIGHT + 16
  return [
    `<g stroke="${colour}" fill="${colour}">`,
    `<path d="${path}" class="line" stroke-dasharray="${dash}"/>`,
    ...placed.map(([x, y], i) => mark(index, x, y, `${name}: ${points[i][0]}, ${points[i][1]}`)),
    `<line x1="${legendX}" x2="${legendX + 24}" y1="${legendY}" y2="${legendY}" class="line" stroke-dasharray="${dash}"/>`,
    mark(index, legendX + 12, legendY, name),
    `<text x="${legendX + 32}" y="${legendY + 4}" class="name">${escapeHtml(name)}</text>`,
    '</g>',
  ].join('')
}

/** A circle, square, triangle or diamond with its values as a tooltip. */
function mark(index: number, x: number, y: number, words: string): string {
  const title = `<title>${escapeHtml(words)}</title>`
  switch (index % 4) {
    case 0:
      return `<circle cx="${at(x)}" cy="${at(y)}" r="4">${title}</circle>`
    case 1:
      return `<rect x="${at(x - 3.5)}" y="${at(y - 3.5)}" width="7" height="7">${title}</rect>`
    case 2:
      return `<path d="M${at(x)} ${at(y - 5)}l5 9h-10z">${title}</path>`
    default:
      return `<path d="M${at(x)} ${at(y - 5)}l5 5-5 5-5-5z">${title}</path>`
  }
}

export function scale(
  from: number,
  to: number,
  start: number,
  end: number,
): (value: number) => number {
  return (value) => (to === from ? start : start + ((value - from) / (to - from)) * (end - start))
}

/** About five round numbers that span the range. */
export function roundTicks(low: number, high: number): number[] {
  const span = high - low || Math.abs(high) || 1
  const magnitude = 10 ** Math.floor(Math.log10(span / 5))
  const step =
    [1, 2, 2.5, 5, 10].map((factor) => factor * magnitude).find((s) => span / s <= 6) ?? span
  const first = Math.floor(low / step + 1e-9)
  const last = Math.max(first + 1, Math.ceil(high / step - 1e-9))
  return Array.from({ length: last - first + 1 }, (_, i) =>
    Number(((first + i) * step).toPrecision(12)),
  )
}

export function shortNumber(value: number): string {
  if (Math.abs(value) >= 1e6) return `${Number((value / 1e6).toPrecision(3))} M`
  if (Math.abs(value) >= 1e4) return `${Number((value / 1e3).toPrecision(3))} k`
  return String(Number(value.toPrecision(4)))
}

const at = (coordinate: number): string => String(Math.round(coordinate * 10) / 10)
