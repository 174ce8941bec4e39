import { GrowingColumn } from '#numeric/grow.ts'
import { URL_SOURCES, type UrlSource } from './url-states.ts'

/** How each URL was found. */
export class Discoveries {
  readonly #sources = new GrowingColumn(Uint8Array)
  readonly #depths = new GrowingColumn(Uint16Array)
  readonly #finders = new GrowingColumn(Int32Array)
  readonly #firstSeen = new GrowingColumn(Float64Array)

  /** Takes up the next URL. */
  begin(source: UrlSource, depth: number, at: number, finder: number): void {
    this.#sources.push(URL_SOURCES.indexOf(source))
    this.#depths.push(Math.min(depth, 0xffff))
    this.#finders.push(finder)
    this.#firstSeen.push(at)
  }

  sourceOf(url: number): UrlSource {
    return URL_SOURCES[this.#sources.at(url)]
  }

  /** Links from the nearest seed. */
  depthOf(url: number): number {
    return this.#depths.at(url)
  }

  /** By URL: what `depthOf` gives, without a copy. */
  depths(): Uint16Array {
    return this.#depths.view()
  }

  firstSeenOf(url: number): number {
    return this.#firstSeen.at(url)
  }

  /** The page whose links were the first to tell of the URL, or NOBODY. */
  finderOf(url: number): number {
    return this.#finders.at(url)
  }

  /** By URL: what `finderOf` gives, without a copy. */
  finders(): Int32Array {
    return this.#finders.view()
  }
}
