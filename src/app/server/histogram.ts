import type { Sample } from './prometheus-text.ts'

/** Counts values by upper bounds, as Prometheus wants them. */
export class Histogram {
  readonly #bounds: readonly number[]
  /** counts[i]: values above bounds[i - 1] and at most bounds[i]; the last has no bound. */
  readonly #counts: number[]
  #sum = 0

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds
    this.#counts = new Array(bounds.length + 1).fill(0)
  }

  add(value: number): void {
    const bucket = this.#bounds.findIndex((bound) => value <= bound)
    this.#counts[bucket < 0 ? this.#bounds.length : bucket]++
    this.#sum += value
  }

  samples(): Sample[] {
    let count = 0
    const buckets = [...this.#bounds, Number.POSITIVE_INFINITY].map((bound, i) => {
      count += this.#counts[i]
      const le = bound === Number.POSITIVE_INFINITY ? '+Inf' : bound
      return { suffix: '_bucket', labels: { le }, value: count }
    })
    return [...buckets, { suffix: '_sum', value: this.#sum }, { suffix: '_count', value: count }]
  }
}
