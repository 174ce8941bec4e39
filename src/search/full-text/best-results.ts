/** A page that answers a query. */
export interface Result {
  readonly url: number
  readonly score: number
}

/** The k best results seen so far: higher scores first, of equal ones the lower URL number. */
export class BestResults {
  readonly #capacity: number
  readonly #least: number
  /** A heap whose root is the worst. */
  readonly #scores: number[] = []
  readonly #urls: number[] = []

  /** `least` is a guess: scores below it are not looked for. */
  constructor(capacity: number, least = 0) {
    this.#capacity = capacity
    this.#least = least
  }

  /** A score below this cannot get in; an equal one may, by its URL number. */
  get threshold(): number {
    return this.isFull ? this.#scores[0] : this.#least
  }

  /** Whether there are as many as are wanted: if not, too much may have been asked of the least. */
  get isFull(): boolean {
    return this.#scores.length >= this.#capacity
  }

  offer(url: number, score: number): void {
    const size = this.#scores.length
    if (size < this.#capacity) {
      this.#scores.push(score)
      this.#urls.push(url)
      this.#siftUp(size)
    } else if (size > 0 && isWorse(this.#scores[0], this.#urls[0], score, url)) {
      this.#scores[0] = score
      this.#urls[0] = url
      this.#siftDown()
    }
  }

  /** All of them, best first. */
  sorted(): Result[] {
    return this.#sortedFrom(0)
  }

  /** The scores of all of them, falling: many times cheaper than the results themselves. */
  scores(): Float64Array {
    return Float64Array.from(this.#scores).sort().reverse()
  }

  /** The first few, best first; `scores` as given above. */
  first(count: number, scores: Float64Array): Result[] {
    return this.#sortedFrom(scores[count - 1] ?? 0).slice(0, count)
  }

  #sortedFrom(leastScore: number): Result[] {
    const results: Result[] = []
    this.#scores.forEach((score, i) => {
      if (score >= leastScore) results.push({ url: this.#urls[i], score })
    })
    return results.sort((a, b) => b.score - a.score || a.url - b.url)
  }

  #siftUp(start: number): void {
    for (let at = start; at > 0; ) {
      const parent = (at - 1) >> 1
      if (!this.#isWorseAt(at, parent)) return
      this.#swap(at, parent)
      at = parent
    }
  }

  #siftDown(): void {
    const size = this.#scores.length
    for (let at = 0; ; ) {
      const left = 2 * at + 1
      let worst = left < size && this.#isWorseAt(left, at) ? left : at
      if (left + 1 < size && this.#isWorseAt(left + 1, worst)) worst = left + 1
      if (worst === at) return
      this.#swap(at, worst)
      at = worst
    }
  }

  #isWorseAt(a: number, b: number): boolean {
    return isWorse(this.#scores[a], this.#urls[a], this.#scores[b], this.#urls[b])
  }

  #swap(a: number, b: number): void {
    const score = this.#scores[a]
    const url = this.#urls[a]
    this.#scores[a] = this.#scores[b]
    this.#urls[a] = this.#urls[b]
    this.#scores[b] = score
    this.#urls[b] = url
  }
}

function isWorse(score: number, url: number, otherScore: number, otherUrl: number): boolean {
  return score < otherScore || (score === otherScore && url > otherUrl)
}
