import { GrowingColumn } from '#numeric/grow.ts'
import { hash64, lastHash64 } from '#numeric/hash.ts'
import { WordPairMap } from '#numeric/word-pair-map.ts'

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
