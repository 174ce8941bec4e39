import { GrowingColumn } from '#numeric/grow.ts'

/** Change rates that are thought possible, in changes a day, each twice the one before: 1/2048 to 16. */
export const CHANGE_RATES = Float64Array.from({ length: 16 }, (_, i) => 2 ** (i - 11))
const RATES = CHANGE_RATES.length

/**
 * What fetches of each URL said about how often it changes. A fetch tells one bit: whether the page changed
 * since the fetch before, however often; the gaps are uneven. Kept is how likely all that is under each of
 * the rates, so that nothing has to be guessed before a prior is at hand.
 */
export class ChangeHistory {
  readonly #slotOf = new Map<number, number>()
  readonly #logLikelihoods = new GrowingColumn(Float32Array)
  readonly #visits = new GrowingColumn(Uint32Array)
  readonly #changes = new GrowingColumn(Uint32Array)

  /** URLs fetched more than once. */
  get size(): number {
    return this.#slotOf.size
  }

  /** Takes in a fetch of a page that was fetched so many days before. */
  observe(url: number, days: number, changed: boolean): void {
    if (!(days > 0)) return
    const slot = this.#slotOf.get(url) ?? this.#begin(url)
    for (let rate = 0; rate < RATES; rate++) {
      const expected = CHANGE_RATES[rate] * days
      const place = slot * RATES + rate
      const more = changed ? Math.log(-Math.expm1(-expected)) : -expected
      this.#logLikelihoods.set(place, this.#logLikelihoods.at(place) + more)
    }
    this.#visits.set(slot, this.#visits.at(slot) + 1)
    if (changed) this.#changes.set(slot, this.#changes.at(slot) + 1)
  }

  /** How often a URL was fetched again, and found changed. */
  countsOf(url: number): { readonly visits: number; readonly changes: number } {
    const slot = this.#slotOf.get(url)
    if (slot === undefined) return { visits: 0, changes: 0 }
    return { visits: this.#visits.at(slot), changes: this.#changes.at(slot) }
  }

  /**
   * Writes the chance of each rate, given a prior, to `chances` from `start` on; the prior itself for a URL
   * never fetched again.
   *
   * @paper ChoGarciaMolina2003 §5 — the whole posterior over irregular visits, not one estimate.
   */
  posterior(url: number, prior: ArrayLike<number>, chances: Float64Array, start = 0): void {
    const slot = this.#slotOf.get(url)
    if (slot === undefined) {
      for (let rate = 0; rate < RATES; rate++) chances[start + rate] = prior[rate]
      return
    }
    const logs = this.#logLikelihoods.view().subarray(slot * RATES, (slot + 1) * RATES)
    let most = Number.NEGATIVE_INFINITY
    for (const log of logs) if (log > most) most = log
    let sum = 0
    for (let rate = 0; rate < RATES; rate++) {
      chances[start + rate] = prior[rate] * Math.exp(logs[rate] - most)
      sum += chances[start + rate]
    }
    for (let rate = 0; rate < RATES; rate++) chances[start + rate] /= sum
  }

  #begin(url: number): number {
    const slot = this.#slotOf.size
    this.#slotOf.set(url, slot)
    for (let rate = 0; rate < RATES; rate++) this.#logLikelihoods.push(0)
    this.#visits.push(0)
    this.#changes.push(0)
    return slot
  }
}

/** As thought before anything is known: every order of magnitude is as likely as any other. */
export const FLAT_PRIOR: Float64Array = new Float64Array(RATES).fill(1 / RATES)

const ROUNDS = 20

/**
 * How the rates of some URLs are spread, learnt from their histories: begins with a prior that counts as so
 * many URLs of its own, and asks again and again which spread explains what was seen.
 */
export function learntPrior(
  history: ChangeHistory,
  urls: Iterable<number>,
  prior: Float64Array = FLAT_PRIOR,
  trust = 2,
): Float64Array {
  const seen = [...urls].filter((url) => history.countsOf(url).visits > 0)
  const chances = new Float64Array(RATES)
  let spread = prior.slice()
  for (let round = 0; round < ROUNDS && seen.length > 0; round++) {
    const next = prior.map((chance) => chance * trust)
    for (const url of seen) {
      history.posterior(url, spread, chances)
      for (let rate = 0; rate < RATES; rate++) next[rate] += chances[rate]
    }
    spread = next.map((weight) => weight / (seen.length + trust))
  }
  return spread
}
