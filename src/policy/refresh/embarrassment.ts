import { evenFreshness } from './even-spacing.ts'

/** A page as a searcher may be embarrassed by it; all times in the unit of the period. */
export interface EmbarrassingPages {
  readonly changeRates: ArrayLike<number>
  /** How often a stale copy is clicked and found wanting. */
  readonly weights: ArrayLike<number>
}

/**
 * How many fetches each page gets in a period, `fetches` in all, so that the least weight is stale: each
 * fetch in turn goes where it helps most. As every further fetch of a page helps less, that is exactly
 * optimal.
 *
 * @paper WolfEtAl2002 §3 — Poisson changes, no least or most per page.
 */
export function leastEmbarrassment(
  { changeRates, weights }: EmbarrassingPages,
  fetches: number,
  period: number,
): Uint32Array {
  const pages = changeRates.length
  const counts = new Uint32Array(pages)
  const gainOf = (page: number): number =>
    weights[page] *
    (evenFreshness(changeRates[page] * period, counts[page] + 1) -
      evenFreshness(changeRates[page] * period, counts[page]))
  const heap = new GainHeap(pages, gainOf)
  for (let fetch = 0; fetch < fetches; fetch++) {
    const page = heap.best()
    if (page === undefined || heap.gainOf(page) <= 0) break
    counts[page]++
    heap.lower(page, gainOf(page))
  }
  return counts
}

/** Pages by what their next fetch gains, the largest on top; of equals the lower page. */
class GainHeap {
  readonly #heap: Uint32Array
  readonly #gains: Float64Array

  constructor(pages: number, gainOf: (page: number) => number) {
    this.#heap = Uint32Array.from({ length: pages }, (_, page) => page)
    this.#gains = Float64Array.from(this.#heap, gainOf)
    for (let place = (pages >> 1) - 1; place >= 0; place--) this.#sink(place)
  }

  best(): number | undefined {
    return this.#heap.length > 0 ? this.#heap[0] : undefined
  }

  gainOf(page: number): number {
    return this.#gains[page]
  }

  /** The page on top now gains less. */
  lower(page: number, gain: number): void {
    this.#gains[page] = gain
    this.#sink(0)
  }

  #isBefore(a: number, b: number): boolean {
    const difference = this.#gains[a] - this.#gains[b]
    return difference > 0 || (difference === 0 && a < b)
  }

  #sink(start: number): void {
    const heap = this.#heap
    const page = heap[start]
    let place = start
    for (;;) {
      let child = 2 * place + 1
      if (child >= heap.length) break
      if (child + 1 < heap.length && this.#isBefore(heap[child + 1], heap[child])) child++
      if (!this.#isBefore(heap[child], page)) break
      heap[place] = heap[child]
      place = child
    }
    heap[place] = page
  }
}
