import { escapeHtml } from '#parse/text/escape-markup.ts'
import { at, shortNumber } from './axes.ts'

/** As wide as a phone in points, so that words are as large there as elsewhere. */
const WIDTH = 400
const LINE = 18
/** Width of a sign at most, in a title and elsewhere. */
const TITLE_SIGN = 9
const SIGN = 7.2
/** Room below the plot for ticks and for the name of the axis. */
const BELOW = 56
/** Room for a legend's mark before its name. */
const MARK = 34

/** Where everything is in a picture: title above the plot, legend below it. */
export interface Frame {
  readonly width: number
  readonly left: number
  readonly right: number
  readonly top: number
  readonly floor: number
}

interface Words {
  readonly title: string
  readonly xLabel: string
  readonly yLabel: string
}

/** A frame with room for the whole title, however many lines it takes. `left` is what stands before the plot. */
export function frameFor(title: string, plotHeight: number, left = 64): Frame {
  const top = 10 + LINE * titleLines(title).length + 12
  return { width: WIDTH, left, right: 22, top, floor: top + plotHeight }
}

/** Words as lines that fit; a word that is too long for one stands alone. */
function titleLines(title: string): string[] {
  const most = Math.floor((WIDTH - 16) / TITLE_SIGN)
  const lines: string[] = []
  for (const word of title.split(' ')) {
    const line = lines.at(-1)
    if (line !== undefined && line.length + 1 + word.length <= most)
      lines[lines.length - 1] = `${line} ${word}`
    else lines.push(word)
  }
  return lines
}

/** Room for the longest of some names. */
export function roomFor(names: readonly string[]): number {
  const longest = names.reduce((most, name) => Math.max(most, name.length), 0)
  return Math.ceil(SIGN * longest) + 16
}

/** A whole picture: its words, what is drawn in it, and a legend of names with their marks. */
export function picture(
  frame: Frame,
  { title, xLabel, yLabel }: Words,
  drawn: readonly string[],
  legend: readonly { readonly name: string; readonly mark: (x: number, y: number) => string }[],
): string {
  const { width, left, right, top, floor } = frame
  const places = legendPlaces(legend.map(({ name }) => name))
  const begin = floor + BELOW
  const height = begin + (places.at(-1)?.y ?? -LINE) + LINE
  return [
    `<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeHtml(title)}">`,
    ...titleLines(title).map(
      (line, i) =>
        `<text x="8" y="${10 + LINE * (i + 0.7)}" class="title">${escapeHtml(line)}</text>`,
    ),
    ...drawn,
    `<text x="${(left + width - right) / 2}" y="${floor + 36}" class="label">${escapeHtml(xLabel)}</text>`,
    ...(yLabel === ''
      ? []
      : [
          `<text transform="translate(14 ${(top + floor) / 2}) rotate(-90)" class="label">${escapeHtml(yLabel)}</text>`,
        ]),
    ...legend.map(({ name, mark }, i) => {
      const [x, y] = [places[i].x, begin + places[i].y]
      return `${mark(x, y)}<text x="${x + MARK}" y="${y + 4}" class="name">${escapeHtml(name)}</text>`
    }),
    '</svg>',
  ].join('\n')
}

/** Names side by side as far as there is room, then below. */
function legendPlaces(names: readonly string[]): { x: number; y: number }[] {
  const columns = Math.max(1, Math.floor((WIDTH - 16) / (MARK + roomFor(names))))
  const step = (WIDTH - 16) / columns
  return names.map((_, i) => ({
    x: Math.round(8 + (i % columns) * step),
    y: LINE * Math.floor(i / columns),
  }))
}

/** A line across the plot with its value to the left. */
export function gridLine({ left, width, right }: Frame, tick: number, y: number): string {
  return `<line x1="${left}" x2="${width - right}" y1="${at(y)}" y2="${at(y)}" class="grid"/><text x="${left - 6}" y="${at(y + 4)}" class="tick end">${shortNumber(tick)}</text>`
}

/** A value below the plot. */
export function xTick({ floor }: Frame, tick: number, x: number): string {
  return `<line x1="${at(x)}" x2="${at(x)}" y1="${floor}" y2="${floor + 5}" class="axis"/><text x="${at(x)}" y="${floor + 18}" class="tick">${shortNumber(tick)}</text>`
}
