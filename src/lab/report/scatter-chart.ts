import { at, frameFor, gridLine, LEGEND_STEP, logTicks, scale, shortNumber } from './axes.ts'
import { escapeHtml } from './escape.ts'
import { COLOURS } from './series-style.ts'

/** Points of one kind; coordinates are at least 0. */
interface PointCloud {
  readonly name: string
  readonly points: readonly (readonly [x: number, y: number])[]
  /** Few points that stand out, such as means of the others. */
  readonly large?: boolean
}

const PLOT_HEIGHT = 400
const BOTTOM = 48
/** Room between the zeros and the smallest value, which no logarithm has. */
const EDGE = 16

interface ScatterLabels {
  readonly title: string
  readonly xLabel: string
  readonly yLabel: string
  /** The axes are of different quantities, so each has its own range and there is no diagonal. */
  readonly ownScales?: boolean
}

/** Points on two logarithmic axes of the same range, with the diagonal, as an SVG element. Zeros lie on the edge. */
export function scatterChart(
  clouds: readonly PointCloud[],
  { title, xLabel, yLabel, ownScales = false }: ScatterLabels,
): string {
  const points = clouds.flatMap((cloud) => cloud.points)
  const [xs, ys] = [0, 1].map((axis) => points.map((point) => point[axis]).filter((v) => v > 0))
  if (xs.length === 0 && ys.length === 0) return `<p>${escapeHtml(title)}: no data</p>`
  const [xRange, yRange] = ownScales
    ? [rangeOf(xs), rangeOf(ys)]
    : [rangeOf([...xs, ...ys]), rangeOf([...xs, ...ys])]
  const frame = frameFor(
    clouds.map(({ name }) => name),
    PLOT_HEIGHT,
    BOTTOM,
  )
  const { width, height, left, right, top } = frame
  const floor = height - BOTTOM
  const along = scale(Math.log(xRange.low), Math.log(xRange.high), left + EDGE, width - right)
  const up = scale(Math.log(yRange.low), Math.log(yRange.high), floor - EDGE, top)
  const x = (value: number) => (value > 0 ? along(Math.log(value)) : left)
  const y = (value: number) => (value > 0 ? up(Math.log(value)) : floor)
  const diagonal = `<line x1="${left + EDGE}" y1="${floor - EDGE}" x2="${width - right}" y2="${top}" class="axis" stroke-dasharray="4 4"/>`
  return [
    `<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeHtml(title)}">`,
    `<text x="${left}" y="20" class="title">${escapeHtml(title)}</text>`,
    ...logTicks(yRange.low, yRange.high).map((tick) => gridLine(frame, tick, y(tick))),
    ...logTicks(xRange.low, xRange.high).map(
      (tick) =>
        `<text x="${at(x(tick))}" y="${floor + 18}" class="tick">${shortNumber(tick)}</text>`,
    ),
    `<text x="${(left + width - right) / 2}" y="${height - 8}" class="label">${escapeHtml(xLabel)}</text>`,
    `<text transform="translate(16 ${(top + floor) / 2}) rotate(-90)" class="label">${escapeHtml(yLabel)}</text>`,
    ...(ownScales ? [] : [diagonal]),
    ...clouds.map((cloud, i) => drawCloud(cloud, COLOURS[i % COLOURS.length], x, y)),
    ...clouds.map(({ name }, i) => {
      const [markX, markY] = [width - right + 20, top + 8 + i * LEGEND_STEP]
      return `<circle cx="${markX}" cy="${markY}" r="4" fill="${COLOURS[i % COLOURS.length]}"/><text x="${markX + 12}" y="${markY + 4}" class="name">${escapeHtml(name)}</text>`
    }),
    '</svg>',
  ].join('\n')
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
  { points, large = false }: PointCloud,
  colour: string,
  x: (value: number) => number,
  y: (value: number) => number,
): string {
  const dots = points
    .filter(([a, b]) => a > 0 || b > 0)
    .map(([a, b]) => `<circle cx="${at(x(a))}" cy="${at(y(b))}" r="${large ? 6 : 2}"/>`)
  return `<g fill="${colour}" fill-opacity="${large ? 1 : 0.5}">${dots.join('')}</g>`
}
