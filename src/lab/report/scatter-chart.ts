import { at, frameFor, gridLine, LEGEND_STEP, logTicks, scale, shortNumber } from './axes.ts'
import { escapeHtml } from './escape.ts'
import { COLOURS } from './series-style.ts'

/** Points of one kind; coordinates are at least 0. */
interface PointCloud {
  readonly name: string
  readonly points: readonly (readonly [x: number, y: number])[]
}

const PLOT_HEIGHT = 400
const BOTTOM = 48
/** Room between the zeros and the smallest value, which no logarithm has. */
const EDGE = 16

/** Points on two logarithmic axes of the same range, with the diagonal, as an SVG element. Zeros lie on the edge. */
export function scatterChart(
  clouds: readonly PointCloud[],
  { title, xLabel, yLabel }: { title: string; xLabel: string; yLabel: string },
): string {
  const values = clouds.flatMap(({ points }) => points.flat()).filter((value) => value > 0)
  if (values.length === 0) return `<p>${escapeHtml(title)}: no data</p>`
  const low = values.reduce((a, b) => Math.min(a, b))
  const high = values.reduce((a, b) => Math.max(a, b))
  const frame = frameFor(
    clouds.map(({ name }) => name),
    PLOT_HEIGHT,
    BOTTOM,
  )
  const { width, height, left, right, top } = frame
  const floor = height - BOTTOM
  const along = scale(Math.log(low), Math.log(high), left + EDGE, width - right)
  const up = scale(Math.log(low), Math.log(high), floor - EDGE, top)
  const x = (value: number) => (value > 0 ? along(Math.log(value)) : left)
  const y = (value: number) => (value > 0 ? up(Math.log(value)) : floor)
  const ticks = logTicks(low, high)
  return [
    `<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeHtml(title)}">`,
    `<text x="${left}" y="20" class="title">${escapeHtml(title)}</text>`,
    ...ticks.map((tick) => gridLine(frame, tick, y(tick))),
    ...ticks.map(
      (tick) =>
        `<text x="${at(x(tick))}" y="${floor + 18}" class="tick">${shortNumber(tick)}</text>`,
    ),
    `<text x="${(left + width - right) / 2}" y="${height - 8}" class="label">${escapeHtml(xLabel)}</text>`,
    `<text transform="translate(16 ${(top + floor) / 2}) rotate(-90)" class="label">${escapeHtml(yLabel)}</text>`,
    `<line x1="${left + EDGE}" y1="${floor - EDGE}" x2="${width - right}" y2="${top}" class="axis" stroke-dasharray="4 4"/>`,
    ...clouds.map((cloud, i) => drawCloud(cloud, COLOURS[i % COLOURS.length], x, y)),
    ...clouds.map(({ name }, i) => {
      const [markX, markY] = [width - right + 20, top + 8 + i * LEGEND_STEP]
      return `<circle cx="${markX}" cy="${markY}" r="4" fill="${COLOURS[i % COLOURS.length]}"/><text x="${markX + 12}" y="${markY + 4}" class="name">${escapeHtml(name)}</text>`
    }),
    '</svg>',
  ].join('\n')
}

function drawCloud(
  { points }: PointCloud,
  colour: string,
  x: (value: number) => number,
  y: (value: number) => number,
): string {
  const dots = points
    .filter(([a, b]) => a > 0 || b > 0)
    .map(([a, b]) => `<circle cx="${at(x(a))}" cy="${at(y(b))}" r="2"/>`)
  return `<g fill="${colour}" fill-opacity="0.5">${dots.join('')}</g>`
}
