import type { Result } from '../full-text/best-results.ts'

/**
 * A query's best results, kept up to date while pages change their scores. Whether there are results beyond the last
 * is known: pages below it are then nobody's business.
 */
export class BestScores {
  /** By place, scores falling. */
  readonly #scores: Float64Array
  readonly #urls: Uint32Array
  readonly #depth: number
  #count: number
  #areAll: boolean
  /** A bit for each page kept, and for some that were: whoever has none is not looked for. */
  readonly #marks = new Uint32Array(MARKS / 32)

  /** From the best `depth` results of a query; fewer are all there are. It keeps up to twice as many. */
  constructor(results: readonly Result[], depth: number) {
    this.#scores = new Float64Array(2 * depth + 1)
    this.#urls = new Uint32Array(2 * depth + 1)
    results.forEach(({ url, score }, place) => {
      this.#scores[place] = score
      this.#urls[place] = url
      this.#mark(url)
    })
    this.#depth = depth
    this.#count = results.length
    this.#areAll = results.length < depth
  }

  /** The scores kept, falling. Changes of them show. */
  get scores(): Float64Array {
    return this.#scores.subarray(0, this.#count)
  }

  /** Whether so many results left that those beyond the last are missed. */
  get isWorn(): boolean {
    return !this.#areAll && 2 * this.#count < this.#depth
  }

  scoreAt(place: number): number {
    return this.#scores[place]
  }

  /** Where a page is, which scores about so much, or -1. Scores far below the last are not looked for. */
  placeOf(url: number, score: number): number {
    if (score < this.floor || !this.#isMarked(url)) return -1
    return this.#placeNear(this.#firstBelow(score), url)
  }

  /** Where a page is, which is looked for in both directions, or -1. */
  #placeNear(place: number, url: number): number {
    const urls = this.#urls
    const count = this.#count
    let below = place
    for (let above = below - 1; above >= 0 || below < count; above--, below++) {
      if (above >= 0 && urls[above] === url) return above
      if (below < count && urls[below] === url) return below
    }
    return -1
  }

  /** A page's score becomes another; 0 is no result. Gives whether that concerns the results kept. */
  change(url: number, from: number, to: number): boolean {
    // A page that came a moment ago is there, though its score before was below the last.
    const place = this.#isMarked(url) ? this.#placeNear(this.#firstBelow(from), url) : -1
    const score = to < this.#least() ? 0 : to
    if (place < 0 && score === 0) return false
    if (place < 0) this.#mark(url)
    this.#settle(place < 0 ? this.#count++ : place, url, score)
    return true
  }

  /** Pages that score less than this are none of those kept, whatever statistics say since. */
  get floor(): number {
    return NEARLY * this.#least()
  }

  /** What lies below is not known. */
  #least(): number {
    if (this.#areAll) return Number.MIN_VALUE
    return this.#count > 0 ? this.#scores[this.#count - 1] : Number.POSITIVE_INFINITY
  }

  /** The page at a place makes way for one with this score, which finds its own; 0 leaves. */
  #settle(left: number, url: number, score: number): void {
    const scores = this.#scores
    const urls = this.#urls
    let place = left
    for (; place > 0 && scores[place - 1] < score; place--) {
      scores[place] = scores[place - 1]
      urls[place] = urls[place - 1]
    }
    for (; place + 1 < this.#count && scores[place + 1] > score; place++) {
      scores[place] = scores[place + 1]
      urls[place] = urls[place + 1]
    }
    scores[place] = score
    urls[place] = url
    if (score === 0) this.#count--
    if (this.#count <= 2 * this.#depth) return
    this.#count = this.#depth
    this.#areAll = false
  }

  #mark(url: number): void {
    this.#marks[(url >>> 5) % (MARKS / 32)] |= 1 << (url & 31)
  }

  #isMarked(url: number): boolean {
    return (this.#marks[(url >>> 5) % (MARKS / 32)] & (1 << (url & 31))) !== 0
  }

  #firstBelow(score: number): number {
    const scores = this.#scores
    let low = 0
    let high = this.#count
    while (low < high) {
      const middle = (low + high) >> 1
      if (scores[middle] < score) high = middle
      else low = middle + 1
    }
    return low
  }
}

/** Many more bits than pages that are kept, so that few have another's. */
const MARKS = 4096

/** Statistics change scores by less than this while they are kept. */
const NEARLY = 0.8
