import { escapeHtml } from '#parse/text/escape-markup.ts'
import { at, logTicks, scale } from './axes.ts'
import { frameFor, gridLine, picture, xTick } from './frame.ts'
import { COLOURS } from './series-style.ts'

/** Points of one kind; coordinates are at least 0. */
interface PointCloud {
  readonly name: string
  readonly points: readonly (readonly [x: number, y: number])[]
  /** Few points that stand out, such as means of the others. */
  readonly isLarge?: boolean
}

interface ScatterOptions {
  readonly title: string
  readonly xLabel: string
  readonly yLabel: string
  /** The axes are of different quantities, so each has its own range and there is no diagonal. */
  readonly ownScales?: boolean
}

const PLOT_HEIGHT = 300
/** Room between the zeros and the smallest value, which no logarithm has. */
const EDGE = 16

/** Points on two logarithmic axes, with the diagonal if they share a range, as an SVG element. Zeros lie on the edge. */
export function scatterChart(clouds: readonly PointCloud[], options: ScatterOptions): string {
  const { title, ownScales = false } = options
  const points = clouds.flatMap((cloud) => cloud.points)
  const [xs, ys] = [0, 1].map((axis) => points.map((point) => point[axis]).filter((v) => v > 0))
  if (xs.length === 0 && ys.length === 0) return `<p>${escapeHtml(title)}: no data</p>`
  const shared = [...xs, ...ys]
  const [xRange, yRange] = (ownScales ? [xs, ys] : [shared, shared]).map(rangeOf)
  const frame = frameFor(title, PLOT_HEIGHT)
  const { width, left, right, top, floor } = frame
  const along = scale(Math.log(xRange.low), Math.log(xRange.high), left + EDGE, width - right)
  const up = scale(Math.log(yRange.low), Math.log(yRange.high), floor - EDGE, top)
  const x = (value: number) => (value > 0 ? along(Math.log(value)) : left)
  const y = (value: number) => (value > 0 ? up(Math.log(value)) : floor)
  const diagonal = `<line x1="${left + EDGE}" y1="${floor - EDGE}" x2="${width - right}" y2="${top}" class="axis" stroke-dasharray="4 4"/>`
  const colourOf = (i: number) => COLOURS[i % COLOURS.length]
  const drawn = [
    ...logTicks(yRange.low, yRange.high).map((tick) => gridLine(frame, tick, y(tick))),
    ...logTicks(xRange.low, xRange.high).map((tick) => xTick(frame, tick, x(tick))),
    ...(ownScales ? [] : [diagonal]),
    ...clouds.map((cloud, i) => drawCloud(cloud, colourOf(i), x, y)),
  ]
  const legend = clouds.map(({ name }, i) => ({
    name,
    mark: (x: number, y: number) =>
      `<circle cx="${x + 14}" cy="${y}" r="4" fill="${colourOf(i)}"/>`,
  }))
  return picture(frame, options, drawn, legend)
}

/** Of values above 0; any range will do for none. */
function rangeOf(values: readonly number[]): { readonly low: number; readonly high: number } {
  if (values.length === 0) return { low: 1, high: 1 }
  return {
    low: values.reduce((a, b) => Math.min(a, b)),
    high: values.reduce((a, b) => Math.max(a, b)),
  }
}

function drawCloud(
  { points, isLarge = false }: PointCloud,
  colour: string,
  x: (value: number) => number,
  y: (value: number) => number,
): string {
  const dots = points
    .filter(([a, b]) => a > 0 || b > 0)
    .map(([a, b]) => `<circle cx="${at(x(a))}" cy="${at(y(b))}" r="${isLarge ? 5 : 2}"/>`)
  return `<g fill="${colour}" fill-opacity="${isLarge ? 1 : 0.5}">${dots.join('')}</g>`
}
