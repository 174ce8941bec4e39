import { mixHash } from '#numeric/hash.ts'
import { seededRandom } from '#numeric/random.ts'
import type { ModelWeb } from '../skeleton/model-web.ts'
import { drawWord } from '../skeleton/vocabulary.ts'
import { siteName } from './addresses.ts'
import { labelOf, titleOf } from './anchors.ts'
import { menuOf } from './templates.ts'
import { paragraphText, type Style, snippetOf, styleOf } from './text.ts'

/** What a text block is; a block is a kind with two numbers, packed into one by `blockKey`. */
export const BlockKind = {
  menu: 0, // host, week of its template
  footer: 1, // host, week of its template
  advert: 2, // number
  date: 3, // week
  visitors: 4, // page, count: boilerplate
  replies: 5, // page, count: part of the main text
  related: 6, // page, week
  heading: 7, // page
  paragraph: 8, // page, key of the paragraph
  teaser: 9, // page
  month: 10, // page
} as const

const BITS_22 = 2 ** 22
const BOILERPLATE_KINDS = BlockKind.related

export const ADVERTS = 400

export const blockKey = (kind: number, a: number, b: number): number =>
  (kind * BITS_22 + a) * BITS_22 + b
export const kindOf = (key: number): number => Math.floor(key / (BITS_22 * BITS_22))
export const firstOf = (key: number): number => Math.floor(key / BITS_22) % BITS_22
const secondOf = (key: number): number => key % BITS_22

/** Menus, adverts, dates and the like, as against the main text. */
export function isBoilerplate(key: number): boolean {
  const kind = kindOf(key)
  return kind <= BOILERPLATE_KINDS && kind !== BlockKind.replies
}

/** Monday of a week, as people write it in pages; the first is 2024-01-01. */
export function dateOf(week: number): string {
  return new Date(Date.UTC(2024, 0, 1 + 7 * week)).toISOString().slice(0, 10)
}

/** Writes the text of blocks; remembers the style of the page it wrote last. */
export class BlockWriter {
  readonly #web: ModelWeb
  #page = -1
  #style: Style | undefined

  constructor(web: ModelWeb) {
    this.#web = web
  }

  text(key: number): string {
    const web = this.#web
    const a = firstOf(key)
    const b = secondOf(key)
    switch (kindOf(key)) {
      case BlockKind.menu: {
        const host = web.hosts[a]
        return [
          siteName(host),
          'Home',
          ...menuOf(host, b).map(({ hub }) => labelOf(web, hub)),
        ].join(' | ')
      }
      case BlockKind.footer:
        return `${siteName(web.hosts[a])}, layout of ${dateOf(b)}. All texts here are invented.`
      case BlockKind.advert:
        return this.#advert(a)
      case BlockKind.date:
        return `This page was made on ${dateOf(a)}`
      case BlockKind.visitors:
        return `Visitors so far: ${b}`
      case BlockKind.replies:
        return `${b} replies`
      case BlockKind.related:
        return `See also (${dateOf(b)})`
      case BlockKind.heading:
        return titleOf(web, a)
      case BlockKind.teaser:
        return `${titleOf(web, a)}. ${snippetOf(web, web.pages.textOf[a])}`
      case BlockKind.month:
        return `No events in month ${web.pages.ordinal[a] + 1}. Choose another month.`
      default:
        return this.#paragraph(a, b)
    }
  }

  #paragraph(page: number, key: number): string {
    if (page !== this.#page || !this.#style) {
      this.#page = page
      this.#style = styleOf(this.#web, page)
    }
    return paragraphText(this.#web, page, key, this.#style)
  }

  #advert(number: number): string {
    const { vocabulary, seed } = this.#web
    const random = seededRandom(mixHash(mixHash(seed, number), 77))
    const words = Array.from(
      { length: 6 + random.below(8) },
      () => vocabulary.words[drawWord(vocabulary.background, random.next)],
    )
    return `Advertisement: ${words.join(' ')}`
  }
}
