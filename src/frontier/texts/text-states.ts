import { GrowingColumn } from '#numeric/grow.ts'
import { bitCount, NEAR_MIN_WORDS, type TextMarks } from './duplicates.ts'

/**
 * Bits of a long text's simhash that a word or two change; a sentence or a paragraph changes
 * more.
 */
const SMALL_BITS = 1

/** By URL: the simhash of its copy's text, to tell small changes from those that matter. */
export class TextStates {
  readonly #lows = new GrowingColumn(Uint32Array)
  readonly #highs = new GrowingColumn(Uint32Array)

  /**
   * Whether searchers may notice that a URL has this text now. Other markup is no change, nor is a date or a
   * counter in a long text. True for a URL without a copy before.
   */
  isChange(
    url: number,
    { simhash: [low, high], words }: Pick<TextMarks, 'simhash' | 'words'>,
  ): boolean {
    const [lowBefore, highBefore] = [this.#lows.get(url), this.#highs.get(url)]
    if (lowBefore === 0 && highBefore === 0) return true
    const bits = bitCount(lowBefore ^ low) + bitCount(highBefore ^ high)
    return bits > (words >= NEAR_MIN_WORDS ? SMALL_BITS : 0)
  }

  /** What stands for the text of a URL's latest copy: equal for those that say the same. */
  keyOf(url: number): string {
    return url < this.#lows.length ? `${this.#lows.at(url)} ${this.#highs.at(url)}` : ''
  }

  /** Takes up the text of a copy. */
  take(url: number, { simhash: [low, high] }: Pick<TextMarks, 'simhash'>): void {
    this.#lows.put(url, low)
    this.#highs.put(url, high)
  }
}
