import { GrowingColumn } from '#numeric/grow.ts'
import { hash32, hash64, lastHash64 } from '#numeric/hash.ts'
import { WordPairMap } from '#numeric/word-pair-map.ts'
import type { HubSigns } from './hub-signs.ts'

/** What addresses of the pages held say of where new links appear, and which are sitemaps or feeds. */
export class AddressSigns {
  readonly #series = new NumberedSeries()
  readonly #below = new PagesBelow()
  readonly #lists = new Set<number>()

  add(page: number, url: string, form: 'page' | 'sitemap' | 'feed' = 'page'): void {
    // A sitemap stays one, also when a later answer does not say what it is.
    if (form !== 'page') this.#lists.add(page)
    this.#series.add(page, url)
    this.#below.add(page, url)
  }

  /** A page is gone. */
  remove(page: number, url: string): void {
    this.#series.remove(page)
    this.#below.remove(page, url)
  }

  /** Columns by place in some pages. */
  of(pages: Uint32Array): Pick<HubSigns, 'isLast' | 'below' | 'isList'> {
    return {
      isLast: Uint8Array.from(pages, (page) => (this.#series.isLast(page) ? 1 : 0)),
      below: Uint32Array.from(pages, (page) => this.#below.of(page)),
      isList: Uint8Array.from(pages, (page) => (this.#lists.has(page) ? 1 : 0)),
    }
  }
}

/** A series has so many pages at least: two numbers may be anything. */
const LEAST_PAGES = 3
/** Longer numbers are ids, and no order. */
const MOST_DIGITS = 9

/**
 * Pages whose addresses differ in their last number only (`/page/2`, `/page/3`), and which of them has the highest. The
 * last page of a numbered list leads to the next one.
 */
export class NumberedSeries {
  readonly #numbers = new WordPairMap()
  readonly #pages = new GrowingColumn(Uint32Array)
  readonly #highest = new GrowingColumn(Float64Array)
  /** By page: 1 + its series, or 0; and its number there. */
  readonly #seriesOf = new GrowingColumn(Uint32Array)
  readonly #numberOf = new GrowingColumn(Float64Array)

  add(page: number, url: string): void {
    this.#seriesOf.lengthen(page + 1)
    const place = lastNumberOf(url)
    if (place === undefined || this.#seriesOf.at(page) > 0) return
    const [start, end] = place
    const [head, tail] = [hash32(url.slice(0, start)), hash32(url.slice(end))]
    const series = this.#numbers.get(head, tail) ?? this.#numbers.size
    if (series === this.#numbers.size) this.#numbers.set(head, tail, series)
    const number = Number(url.slice(start, end))
    this.#seriesOf.set(page, series + 1)
    this.#numberOf.put(page, number)
    this.#pages.add(series, 1)
    this.#highest.put(series, Math.max(number, this.#highest.get(series)))
  }

  /** A page is gone; the next of its series may still come. */
  remove(page: number): void {
    const series = this.#seriesOf.get(page) - 1
    if (series < 0) return
    this.#pages.add(series, -1)
    this.#seriesOf.set(page, 0)
  }

  /** Whether no page of its series has a higher number. */
  isLast(page: number): boolean {
    const series = this.#seriesOf.get(page) - 1
    return (
      series >= 0 &&
      this.#pages.at(series) >= LEAST_PAGES &&
      this.#numberOf.at(page) >= this.#highest.at(series)
    )
  }
}

/** Where the last number of an address begins and ends, the last digits of it if it is too long. */
function lastNumberOf(url: string): readonly [start: number, end: number] | undefined {
  let end = url.length
  while (end > 0 && !isDigit(url, end - 1)) end--
  if (end === 0) return undefined
  let start = end
  while (start > 0 && end - start < MOST_DIGITS && isDigit(url, start - 1)) start--
  return [start, end]
}

function isDigit(text: string, place: number): boolean {
  const code = text.charCodeAt(place)
  return code >= 48 && code <= 57
}

/** Endings that lists and folders have as well as none. */
const ENDING = /(?:\/index)?\.(?:html?|php|aspx?|jsp)$/i
/** Addresses of more steps than this are counted in the folders nearest to them. */
const MOST_STEPS = 32

/** How many pages lie below each page: those whose address begins with its own, step by step. */
export class PagesBelow {
  readonly #numbers = new WordPairMap()
  /** By path: pages below it. */
  readonly #below = new GrowingColumn(Uint32Array)
  /** By page: 1 + the number of its path, or 0. */
  readonly #pathOf = new GrowingColumn(Uint32Array)

  add(page: number, url: string): void {
    this.#pathOf.lengthen(page + 1)
    if (this.#pathOf.at(page) > 0) return
    const path = pathOf(url)
    this.#pathOf.set(page, 1 + this.#numberOf(path))
    this.#count(path, url, 1)
  }

  /** A page is gone. */
  remove(page: number, url: string): void {
    if (this.#pathOf.get(page) === 0) return
    this.#pathOf.set(page, 0)
    this.#count(pathOf(url), url, -1)
  }

  of(page: number): number {
    const path = this.#pathOf.get(page)
    return path === 0 ? 0 : this.#below.get(path - 1)
  }

  #count(path: string, url: string, step: number): void {
    // What a script shows by a query lies below the script.
    if (url.includes('?')) this.#below.add(this.#numberOf(path), step)
    const host = path.indexOf('//') + 2
    let end = path.lastIndexOf('/')
    for (let steps = 0; end > host && steps < MOST_STEPS; steps++) {
      this.#below.add(this.#numberOf(path.slice(0, end)), step)
      end = path.lastIndexOf('/', end - 1)
    }
  }

  #numberOf(path: string): number {
    // 64 bits, so that two paths practically never share a number.
    hash64(path)
    const [low, high] = lastHash64
    const number = this.#numbers.get(low, high) ?? this.#numbers.size
    if (number === this.#numbers.size) this.#numbers.set(low, high, number)
    return number
  }
}

/** An address without its query and what a list or folder may end with. */
function pathOf(url: string): string {
  const mark = url.search(/[?#]/)
  const path = (mark < 0 ? url : url.slice(0, mark)).replace(ENDING, '')
  return path.endsWith('/') ? path.slice(0, -1) : path
}
