import { escapeHtml } from '#parse/text/escape-markup.ts'
import { at } from './axes.ts'

/** Okabe and Ito's palette, without its yellow: told apart by colour-blind readers too. */
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
const MARKS = ['circle', 'square', 'triangle', 'diamond', 'wedge', 'cross'] as const

interface SeriesStyle {
  readonly colour: string
  readonly dash: string
  readonly mark: (typeof MARKS)[number]
}

/** How the n-th series is drawn. Where a colour comes again, dash and mark are others. */
export function styleOf(index: number): SeriesStyle {
  const round = Math.floor(index / COLOURS.length)
  return {
    colour: COLOURS[index % COLOURS.length],
    dash: DASHES[round % DASHES.length],
    mark: MARKS[((index % COLOURS.length) + round) % MARKS.length],
  }
}

/** A mark with words as its tooltip. */
export function drawMark(mark: SeriesStyle['mark'], x: number, y: number, words: string): string {
  const title = `<title>${escapeHtml(words)}</title>`
  switch (mark) {
    case 'circle':
      return `<circle cx="${at(x)}" cy="${at(y)}" r="4">${title}</circle>`
    case 'square':
      return `<rect x="${at(x - 3.5)}" y="${at(y - 3.5)}" width="7" height="7">${title}</rect>`
    case 'triangle':
      return `<path d="M${at(x)} ${at(y - 5)}l5 9h-10z">${title}</path>`
    case 'diamond':
      return `<path d="M${at(x)} ${at(y - 5)}l5 5-5 5-5-5z">${title}</path>`
    case 'wedge':
      return `<path d="M${at(x)} ${at(y + 5)}l5-9h-10z">${title}</path>`
    case 'cross':
      return `<path d="M${at(x - 4.5)} ${at(y - 1.5)}h3v-3h3v3h3v3h-3v3h-3v-3h-3z">${title}</path>`
  }
}
