import { at, roundTicks, scale, shortNumber } from '#lab/report/axes.ts'
import { type Html, html } from '../../html.ts'
import { type DataTable, dataTable } from './blocks.ts'
import { amount } from './words.ts'

const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, FLOOR] = [640, 220, 56, 12, 12, 188]
const WIDEST_BAR = 48
/** Beside the picture there is a table of at most so many rows. */
const TABLE_ROWS = 60

interface Axis {
  readonly name: string
  /** How a value is written on the axis; in full. */
  readonly text?: (value: number) => string
}

interface LineChart {
  readonly title: string
  readonly x: Axis
  readonly y: Axis
  readonly points: readonly (readonly [x: number, y: number])[]
  /** Values stand for a while, and then jump. */
  readonly steps?: boolean
  /** One more thing that the table tells of each point. */
  readonly also?: { readonly name: string; readonly texts: readonly string[] }
}

/** A line, with its numbers as a table for whoever cannot see it. */
export function lineChart({ title, x, y, points, steps = false, also }: LineChart): Html {
  if (points.length < 2) return html`<p class="quiet">${title}: not enough to draw yet.</p>`
  const [first, last] = [points[0], points.at(-1)!]
  const yTicks = roundTicks(0, Math.max(...points.map(([, value]) => value)))
  const toX = scale(first[0], last[0], LEFT, WIDTH - RIGHT)
  const toY = scale(0, yTicks.at(-1)!, FLOOR, TOP)
  const path = points
    .map(([px, py], i) => {
      const [cx, cy] = [at(toX(px)), at(toY(py))]
      if (i === 0) return `M${cx} ${cy}`
      return steps ? `H${cx}V${cy}` : `L${cx} ${cy}`
    })
    .join('')
  const area = `${path}L${at(toX(last[0]))} ${FLOOR}L${LEFT} ${FLOOR}Z`
  const said = `${title}: from ${amount(first[1])} to ${amount(last[1])}`
  const drawn = html`${grid(yTicks, toY)}${xEnds([first[0], last[0]], x, toX)}<path class="area" d="${area}"/><path class="line" d="${path}"/><circle class="dot" cx="${at(toX(last[0]))}" cy="${at(toY(last[1]))}" r="3.5"/>`
  const rows = thinned([...points.entries()])
  return figure(title, said, drawn, {
    rows,
    columns: [
      [x.name, ([, [px]]) => textOf(x, px)],
      [y.name, ([, [, py]]) => textOf(y, py), 'number'],
      ...(also ? [[also.name, ([i]: (typeof rows)[number]) => also.texts[i]] as const] : []),
    ],
  })
}

interface Bar {
  readonly at: number
  readonly parts: readonly number[]
}

interface StackedBars {
  readonly title: string
  readonly x: Axis
  readonly names: readonly string[]
  /** From left to right; each as wide as `width` on the axis. */
  readonly bars: readonly Bar[]
  readonly width: number
}

/** Bars over time, each in parts. */
export function stackedBars({ title, x, names, bars, width }: StackedBars): Html {
  if (bars.length === 0) return html`<p class="quiet">${title}: nothing yet.</p>`
  const sumOf = (parts: readonly number[]) => parts.reduce((sum, part) => sum + part, 0)
  const yTicks = roundTicks(0, Math.max(...bars.map(({ parts }) => sumOf(parts))), 1)
  const [from, to] = [bars[0].at, bars.at(-1)!.at + width]
  const toX = scale(from, to, LEFT, WIDTH - RIGHT)
  const toY = scale(0, yTicks.at(-1)!, FLOOR, TOP)
  const room = toX(from + width) - toX(from)
  const breadth = Math.max(1, Math.min(WIDEST_BAR, room - 1))
  const left = (at: number) => toX(at) + (room - breadth) / 2
  const drawn = html`${grid(yTicks, toY)}${xEnds([from, to], x, toX)}${bars.map((bar) => {
    let sum = 0
    return bar.parts.map((part, i) => {
      const [top, bottom] = [toY(sum + part), toY(sum)]
      sum += part
      return (
        part > 0 &&
        html`<rect class="s${i + 1}" x="${at(left(bar.at))}" y="${at(top)}" width="${at(breadth)}" height="${at(Math.max(0.5, bottom - top))}"/>`
      )
    })
  })}`
  const total = bars.reduce((sum, { parts }) => sum + sumOf(parts), 0)
  const said = `${title}: ${amount(total / bars.length)} on average`
  const numbers: Numbers<Bar> = {
    rows: thinned(bars),
    columns: [
      [x.name, (bar) => textOf(x, bar.at)],
      ...names.map((name, i) => [name, ({ parts }: Bar) => amount(parts[i]), 'number'] as const),
    ],
  }
  return figure(title, said, drawn, numbers, legendOf(names))
}

interface PairedBars {
  readonly title: string
  readonly names: readonly [string, string]
  readonly rows: readonly { readonly name: string; readonly pair: readonly [number, number] }[]
}

/** Two bars beside each other in every row: what was predicted, and what came. */
export function pairedBars({ title, names, rows }: PairedBars): Html {
  const yTicks = roundTicks(0, Math.max(...rows.flatMap(({ pair }) => pair), 1e-9))
  const toY = scale(0, yTicks.at(-1)!, FLOOR, TOP)
  const step = (WIDTH - RIGHT - LEFT) / Math.max(1, rows.length)
  const drawn = html`${grid(yTicks, toY)}${rows.map(({ name, pair }, i) => {
    const left = LEFT + i * step + step * 0.12
    const breadth = step * 0.36
    return html`${pair.map((value, part) => html`<rect class="s${part + 1}" x="${at(left + part * (breadth + 1))}" y="${at(toY(value))}" width="${at(breadth)}" height="${at(FLOOR - toY(value))}"/>`)}<text class="tick" x="${at(left + breadth)}" y="${FLOOR + 18}" text-anchor="middle">${name}</text>`
  })}`
  const numbers: Numbers<PairedBars['rows'][number]> = {
    rows,
    columns: [
      ['Tenth', ({ name }) => name],
      [names[0], ({ pair }) => amount(pair[0]), 'number'],
      [names[1], ({ pair }) => amount(pair[1]), 'number'],
    ],
  }
  return figure(title, title, drawn, numbers, legendOf(names))
}

function legendOf(names: readonly string[]): Html {
  return html`<p class="legend">${names.map((name, i) => html`<span><svg viewBox="0 0 10 10" aria-hidden="true"><rect class="s${i + 1}" width="10" height="10"/></svg>${name}</span> `)}</p>`
}

/** What a picture shows, as a table. */
type Numbers<Row> = Pick<DataTable<Row>, 'rows' | 'columns'>

function figure<Row>(
  title: string,
  said: string,
  drawn: Html,
  numbers: Numbers<Row>,
  legend?: Html,
): Html {
  return html`<figure><figcaption>${title}</figcaption>${legend}
<svg class="chart" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${said}">${drawn}</svg>
<details><summary>Numbers<span class="unseen"> of: ${title}</span></summary>${dataTable({ caption: title, ...numbers })}</details></figure>`
}

function grid(ticks: readonly number[], toY: (value: number) => number): Html[] {
  return ticks.map(
    (tick) =>
      html`<line class="grid" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${at(toY(tick))}" y2="${at(toY(tick))}"/><text class="tick" x="${LEFT - 6}" y="${at(toY(tick) + 4)}" text-anchor="end">${shortNumber(tick)}</text>`,
  )
}

function xEnds(
  [from, to]: readonly [number, number],
  axis: Axis,
  toX: (value: number) => number,
): Html {
  return html`<text class="tick" x="${at(toX(from))}" y="${FLOOR + 18}">${textOf(axis, from)}</text><text class="tick" x="${at(toX(to))}" y="${FLOOR + 18}" text-anchor="end">${textOf(axis, to)}</text><text class="tick" x="${(LEFT + WIDTH - RIGHT) / 2}" y="${FLOOR + 18}" text-anchor="middle">${axis.name}</text>`
}

function textOf({ text = amount }: Axis, value: number): string {
  return text(value)
}

function thinned<T>(rows: readonly T[]): T[] {
  const step = Math.ceil(rows.length / TABLE_ROWS)
  return rows.filter((_, i) => (rows.length - 1 - i) % step === 0)
}

/** A moment on an axis: the day if the axis has many, else the time. */
export function momentOn(from: number, to: number): (seconds: number) => string {
  const isLong = to - from > 2 * 86_400
  return (seconds) => {
    const iso = new Date(seconds * 1000).toISOString()
    return isLong ? iso.slice(0, 10) : `${iso.slice(11, 16)} UTC`
  }
}
