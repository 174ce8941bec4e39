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
 * Finds pages whose text equals that of an earlier page, or nearly equals it under the same
 * title. (Thin pages of one template are nearly equal too, and differ by their titles.) Only the
 * present text of a page counts: entries of earlier texts stay, and belong to no page. Entries
 * are chained per band of the simhash: heads[band · 65,536 + value] is the latest entry + 1,
 * `nexts` the one before it.
 */
export class Duplicates {
  readonly #groupOf: (url: number) => number
  /** By fingerprint: the latest entry. */
  readonly #exact = new WordPairMap()
  readonly #heads = new Uint32Array(BANDS * BAND_VALUES)
  readonly #nexts = Array.from({ length: BANDS }, () => new GrowingColumn(Uint32Array))
  readonly #urls = new GrowingColumn(Uint32Array)
  readonly #lows = new GrowingColumn(Uint32Array)
  readonly #highs = new GrowingColumn(Uint32Array)
  readonly #titles = new GrowingColumn(Uint32Array)
  /** By URL: 1 if its page is not shown to searchers, or only for some time. */
  readonly #hidden = new GrowingColumn(Uint8Array)
  /** By URL: the entry of what it says now + 1; 0 if it says nothing of its own. */
  readonly #entryOf = new GrowingColumn(Uint32Array)
  /** By URL: the page it was found to be a duplicate of + 1; 0 for none. */
  readonly #originalOf = new GrowingColumn(Uint32Array)
  /** The duplicates of one page are a chain. By original: the first one + 1; by duplicate: its neighbours + 1. */
  readonly #first = new GrowingColumn(Uint32Array)
  readonly #next = new GrowingColumn(Uint32Array)
  readonly #previous = new GrowingColumn(Uint32Array)

  /** Only pages of one group can be each other's duplicates; all are of one if nobody says otherwise. */
  constructor(groupOf: (url: number) => number = () => 0) {
    this.#groupOf = groupOf
  }

  /**
   * The page that already says this, if another one does. A page that is not shown to searchers is no original
   * for one that is.
   */
  originalOf(url: number, marks: TextMarks, isShown = true): number | undefined {
    const original = this.#firstToSay(url, this.#inGroup(url, marks), isShown)
    return original === url ? undefined : original
  }

  /** The page says this from now on, and no other page does. */
  say(url: number, said: TextMarks, isShown = true): void {
    const marks = this.#inGroup(url, said)
    const saysIt = this.#exactly(marks, isShown) === url
    if (saysIt) this.#show(url, isShown)
    else this.leave(url, isShown)
    if (!saysIt && marks.words > 0) this.#remember(url, marks)
  }

  /** The page has no text of its own any more. */
  leave(url: number, isShown = true): void {
    if (url < this.#entryOf.length) this.#entryOf.set(url, 0)
    this.#show(url, isShown)
  }

  /**
   * Whether the page's text is hidden from searchers, for good or for some time; also for a
   * duplicate.
   */
  isHidden(url: number): boolean {
    return this.#hidden.get(url) === 1
  }

  /** Texts of two groups are told apart by other fingerprints and titles. */
  #inGroup(url: number, marks: TextMarks): TextMarks {
    const group = this.#groupOf(url)
    if (group === 0) return marks
    const [low, high] = marks.fingerprint
    const title = (marks.title ^ group) >>> 0
    return { ...marks, fingerprint: [(low ^ group) >>> 0, high], title }
  }

  #show(url: number, isShown: boolean): void {
    if (isShown !== this.isHidden(url)) return
    this.#hidden.put(url, isShown ? 0 : 1)
  }

  /** Notes of which page the URL's copy was found to be a duplicate, if of any. */
  note(url: number, original: number | undefined): void {
    const before = this.notedOriginal(url)
    if (original === before) return
    if (before !== undefined) this.#unchain(url, before)
    this.#originalOf.put(url, original === undefined ? 0 : original + 1)
    if (original !== undefined) this.#chain(url, original)
  }

  /** The page of which the URL's copy is a duplicate, as far as was noted. */
  notedOriginal(url: number): number | undefined {
    const original = this.#originalOf.get(url)
    return original === 0 ? undefined : original - 1
  }

  /** The URLs that were noted to be duplicates of a page, ascending. */
  duplicatesOf(original: number): Uint32Array {
    const urls: number[] = []
    for (let url = this.#first.get(original); url > 0; url = this.#next.at(url - 1))
      urls.push(url - 1)
    return Uint32Array.from(urls).sort()
  }

  #chain(url: number, original: number): void {
    const first = this.#first.get(original)
    this.#next.put(url, first)
    this.#previous.put(url, 0)
    if (first > 0) this.#previous.set(first - 1, url + 1)
    this.#first.put(original, url + 1)
  }

  #unchain(url: number, original: number): void {
    const [next, previous] = [this.#next.at(url), this.#previous.at(url)]
    if (next > 0) this.#previous.set(next - 1, previous)
    if (previous > 0) this.#next.set(previous - 1, next)
    else this.#first.set(original, next)
  }

  /** Whether an entry is what its page says now, to those who matter. */
  #stands(entry: number, forShown: boolean): boolean {
    const isCurrent = this.#entryOf.at(this.#urls.at(entry)) === entry + 1
    return isCurrent && !(forShown && this.isHidden(this.#urls.at(entry)))
  }

  /** The page that has this text, which may be the page itself. */
  #firstToSay(url: number, marks: TextMarks, isShown: boolean): number | undefined {
    const same = this.#exactly(marks, isShown)
    if (same !== undefined || marks.words < NEAR_MIN_WORDS) return same
    return this.#nearest(url, marks, isShown)
  }

  /** Who says the very same. */
  #exactly(marks: TextMarks, isShown: boolean): number | undefined {
    if (marks.words === 0) return undefined
    const same = this.#exact.get(...marks.fingerprint)
    return same !== undefined && this.#stands(same, isShown) ? this.#urls.at(same) : undefined
  }

  #nearest(url: number, { simhash, title }: TextMarks, isShown: boolean): number | undefined {
    const [low, high] = simhash
    const bands = bandsOf(low, high)
    for (let band = 0; band < BANDS; band++) {
      let entry = this.#heads[band * BAND_VALUES + bands[band]]
      while (entry > 0) {
        const other = this.#urls.at(entry - 1)
        const distance =
          bitCount(this.#lows.at(entry - 1) ^ low) + bitCount(this.#highs.at(entry - 1) ^ high)
        const sameTitle = this.#titles.at(entry - 1) === title
        const isNear = distance <= NEAR_BITS && sameTitle && other !== url
        if (isNear && this.#stands(entry - 1, isShown)) return other
        entry = this.#nexts[band].at(entry - 1)
      }
    }
    return undefined
  }

  #remember(url: number, marks: TextMarks): void {
    const [low, high] = marks.simhash
    const entry = this.#urls.push(url)
    this.#lows.push(low)
    this.#highs.push(high)
    this.#titles.push(marks.title)
    this.#entryOf.put(url, entry + 1)
    this.#exact.set(...marks.fingerprint, entry)
    bandsOf(low, high).forEach((value, band) => {
      const slot = band * BAND_VALUES + value
      // Short texts keep their places in the columns and are in no chain.
      this.#nexts[band].push(this.#heads[slot])
      if (marks.words >= NEAR_MIN_WORDS) this.#heads[slot] = entry + 1
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
