import { GrowingColumn } from '#numeric/grow.ts'
import { hash32 } from '#numeric/hash.ts'
import { WordPairMap } from '#numeric/word-pair-map.ts'

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
