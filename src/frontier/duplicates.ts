import { GrowingColumn } from '#numeric/grow.ts'
import { WordPairMap } from '#numeric/word-pair-map.ts'

/** Two texts whose simhashes differ in at most so many of 64 bits are the same to a searcher. */
const NEAR_BITS = 3
/** With 4 bands, two hashes that differ in 3 bits agree in at least one band. */
const BANDS = 4
const BAND_VALUES = 1 << 16
/** Below this many words a simhash says little. */
export const NEAR_MIN_WORDS = 50

/** A text's identity: exact, and roughly. Both are pairs of 32-bit words. */
export interface TextMarks {
  readonly fingerprint: readonly [low: number, high: number]
  readonly simhash: readonly [low: number, high: number]
  readonly words: number
  /** Hash of the title. */
  readonly title: number
}

/**
 * Which pages say the same as a page that was there before: the same text, or nearly the same under the
 * same title. (Thin pages of one template are nearly the same too, and differ by their titles.) Entries are chained per band of the
 * simhash: heads[band · 65,536 + value] is the latest entry + 1, `nexts` the one before it.
 */
export class Duplicates {
  readonly #exact = new WordPairMap()
  readonly #heads = new Uint32Array(BANDS * BAND_VALUES)
  readonly #nexts = Array.from({ length: BANDS }, () => new GrowingColumn(Uint32Array))
  readonly #urls = new GrowingColumn(Uint32Array)
  readonly #lows = new GrowingColumn(Uint32Array)
  readonly #highs = new GrowingColumn(Uint32Array)
  readonly #titles = new GrowingColumn(Uint32Array)

  /** The page that already says this, if another one does; otherwise this page will be that one. */
  originalOf(url: number, marks: TextMarks): number | undefined {
    if (marks.words === 0) return undefined
    const same = this.#exact.get(...marks.fingerprint)
    if (same !== undefined) return same === url ? undefined : same
    const near = marks.words >= NEAR_MIN_WORDS ? this.#nearest(url, marks) : undefined
    if (near !== undefined) return near
    this.#exact.set(...marks.fingerprint, url)
    if (marks.words >= NEAR_MIN_WORDS) this.#remember(url, marks)
    return undefined
  }

  /** Takes up a page that said something new when it was stored. */
  restore(url: number, marks: TextMarks): void {
    if (marks.words === 0 || this.#exact.get(...marks.fingerprint) !== undefined) return
    this.#exact.set(...marks.fingerprint, url)
    if (marks.words >= NEAR_MIN_WORDS) this.#remember(url, marks)
  }

  #nearest(url: number, { simhash, title }: TextMarks): number | undefined {
    const [low, high] = simhash
    const bands = bandsOf(low, high)
    for (let band = 0; band < BANDS; band++) {
      let entry = this.#heads[band * BAND_VALUES + bands[band]]
      while (entry > 0) {
        const other = this.#urls.at(entry - 1)
        const distance =
          bitCount(this.#lows.at(entry - 1) ^ low) + bitCount(this.#highs.at(entry - 1) ^ high)
        const sameTitle = this.#titles.at(entry - 1) === title
        if (distance <= NEAR_BITS && sameTitle && other !== url) return other
        entry = this.#nexts[band].at(entry - 1)
      }
    }
    return undefined
  }

  #remember(url: number, { simhash: [low, high], title }: TextMarks): void {
    const entry = this.#urls.push(url)
    this.#lows.push(low)
    this.#highs.push(high)
    this.#titles.push(title)
    bandsOf(low, high).forEach((value, band) => {
      const slot = band * BAND_VALUES + value
      this.#nexts[band].push(this.#heads[slot])
      this.#heads[slot] = entry + 1
    })
  }
}

function bandsOf(low: number, high: number): number[] {
  return [low & 0xffff, low >>> 16, high & 0xffff, high >>> 16]
}

/** Bits of a word that are set. */
export function bitCount(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555)
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333)
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
