import { GrowingColumn } from '#numeric/grow.ts'

/** Possible change rates, in changes a day, each twice the one before: 1/32768, for pages that never do, to 16. */
export const CHANGE_RATES = Float64Array.from({ length: 20 }, (_, i) => 2 ** (i - 15))
const RATES = CHANGE_RATES.length
const NO_LOGS = new Float32Array(RATES)

/** How often a page is fetched before anything is known of it, and at most and least; Nutch's defaults. */
const FIRST_INTERVAL_DAYS = 30
const LONGEST_INTERVAL_DAYS = 365
const SHORTEST_INTERVAL_DAYS = 60 / 86_400

/** How rates are spread over the pages of all buckets, where a crawl is divided. */
export interface SharedSpreads {
  readonly all: Float64Array
  /** By octave of the number of pages that link to a page, as far as there are enough. */
  readonly byOctave: readonly (Float64Array | undefined)[]
  /** By URL: what pages are put in order by, as their numbers are others in each bucket. */
  readonly ties: Uint32Array
}

/**
 * What fetches of each URL said about how often it changes. A fetch tells one bit: whether the page changed
 * since the fetch before, however often; the gaps are uneven. Kept is how likely all that is under each of
 * the rates, so that nothing has to be guessed before a prior is at hand.
 */
export class ChangeHistory {
  /** By URL: 1 + the place of its row, 0 for a URL never fetched again. */
  readonly #rowOf = new GrowingColumn(Uint32Array)
  /** Rows of `RATES` numbers, the largest of each row 0. */
  readonly #logLikelihoods = new GrowingColumn(Float32Array)
  readonly #intervals = new GrowingColumn(Float32Array)

  #shared: SharedSpreads | undefined

  /** From now on the spreads of rates that small groups begin with are those of all buckets. */
  judgeBy(shared: SharedSpreads): void {
    this.#shared = shared
  }

  get shared(): SharedSpreads | undefined {
    return this.#shared
  }

  /** Takes in a fetch of a page that was fetched so many days before. */
  observe(url: number, days: number, changed: boolean): void {
    if (!(days > 0)) return
    const row = this.#rowAt(url) ?? this.#begin(url)
    const logs = this.#logLikelihoods.view().subarray(row * RATES, (row + 1) * RATES)
    let most = Number.NEGATIVE_INFINITY
    for (let rate = 0; rate < RATES; rate++) {
      const expected = CHANGE_RATES[rate] * days
      logs[rate] += changed ? Math.log(-Math.expm1(-expected)) : -expected
      if (logs[rate] > most) most = logs[rate]
    }
    for (let rate = 0; rate < RATES; rate++) logs[rate] -= most
    this.#intervals.set(row, adaptedInterval(this.#intervals.at(row), changed))
  }

  /** The days after which Nutch's adaptive schedule would fetch the URL again. */
  intervalOf(url: number): number {
    const row = this.#rowAt(url)
    return row === undefined ? FIRST_INTERVAL_DAYS : this.#intervals.at(row)
  }

  /**
   * Writes the chance of each rate to `chances`, given a prior, which `priors` has from `start` on; the prior itself
   * for a URL never fetched again.
   *
   * @paper ChoGarciaMolina2003 — the whole posterior over irregular visits, not one estimate.
   */
  posterior(url: number, priors: Float64Array, chances: Float64Array, start = 0): void {
    const row = this.#rowAt(url)
    if (row === undefined) {
      for (let rate = 0; rate < RATES; rate++) chances[rate] = priors[start + rate]
      return
    }
    const logs = this.#logLikelihoods.view()
    const first = row * RATES
    let sum = 0
    for (let rate = 0; rate < RATES; rate++) {
      const chance = priors[start + rate] * likelihood(logs[first + rate])
      chances[rate] = chance
      sum += chance
    }
    const scale = 1 / sum
    for (let rate = 0; rate < RATES; rate++) chances[rate] *= scale
  }

  /** Writes log-likelihoods, up to a constant, to `logs`; zeros for a URL never fetched again. */
  logLikelihoods(url: number, logs: Float64Array): void {
    const row = this.#rowAt(url)
    if (row === undefined) logs.fill(0)
    else logs.set(this.#logLikelihoods.view().subarray(row * RATES, (row + 1) * RATES))
  }

  /** Writes how likely its history is under each rate to `rows` from `start` on; gives false for a URL never fetched again. */
  likelihoods(url: number, rows: Float64Array, start: number): boolean {
    const row = this.#rowAt(url)
    if (row === undefined) return false
    const logs = this.#logLikelihoods.view()
    for (let rate = 0; rate < RATES; rate++)
      rows[start + rate] = likelihood(logs[row * RATES + rate])
    return true
  }

  #rowAt(url: number): number | undefined {
    const row = url < this.#rowOf.length ? this.#rowOf.view()[url] : 0
    return row === 0 ? undefined : row - 1
  }

  #begin(url: number): number {
    const row = this.#intervals.push(FIRST_INTERVAL_DAYS)
    this.#rowOf.put(url, row + 1)
    this.#logLikelihoods.append(NO_LOGS)
    return row
  }
}

/**
 * Below this, e^-230, a likelihood counts as none. Beside that of the likeliest rate, which is 1, it would change no
 * digit of any sum; but reckoning with the smallest of numbers is slow.
 */
const LEAST_LOG = -230

function likelihood(log: number): number {
  return log < LEAST_LOG ? 0 : Math.exp(log)
}

/** A fifth sooner after a change, a fifth later after none: as Nutch's AdaptiveFetchSchedule. */
function adaptedInterval(days: number, changed: boolean): number {
  const adapted = days * (changed ? 0.8 : 1.2)
  return Math.min(LONGEST_INTERVAL_DAYS, Math.max(SHORTEST_INTERVAL_DAYS, adapted))
}

/** The prior, before anything is known: every order of magnitude is as likely as any other. */
export const FLAT_PRIOR: Float64Array = new Float64Array(RATES).fill(1 / RATES)

const ROUNDS = 40
/** Of more URLs than this the spread is learnt from every second, third, … of them. */
const ENOUGH_URLS = 20_000

/** Learns how rates are spread from the histories of URLs: of many small groups, in the same room. */
export class PriorLearner {
  readonly #history: Pick<ChangeHistory, 'likelihoods'>
  readonly #spread = new Float64Array(RATES)
  readonly #weights = new Float64Array(RATES)
  #rows = new Float64Array(0)

  constructor(history: Pick<ChangeHistory, 'likelihoods'>) {
    this.#history = history
  }

  /** Numbers in a spread. */
  get size(): number {
    return RATES
  }

  /**
   * How the rates of some URLs are spread; good until the next call. Begins with a prior that counts as so many URLs of
   * its own, and asks again and again which spread explains what was seen. Of more than `enough` URLs it looks at a
   * sample.
   */
  learn(
    urls: ArrayLike<number>,
    prior: Float64Array = FLAT_PRIOR,
    trust = 2,
    enough = ENOUGH_URLS,
  ): Float64Array {
    const [spread, weights] = [this.#spread, this.#weights]
    const seen = this.#look(urls, enough)
    spread.set(prior)
    for (let round = 0; round < ROUNDS && seen > 0; round++) {
      for (let rate = 0; rate < RATES; rate++) weights[rate] = prior[rate] * trust
      addPosteriors(spread, this.#rows, seen, weights)
      for (let rate = 0; rate < RATES; rate++) spread[rate] = weights[rate] / (seen + trust)
    }
    return spread
  }

  /** Fills rows with the likelihoods of those URLs that were fetched again, of more than enough every n-th; gives how many. */
  #look(urls: ArrayLike<number>, enough: number): number {
    const step = Math.max(1, Math.ceil(urls.length / enough))
    const size = Math.ceil(urls.length / step) * RATES
    if (this.#rows.length < size) this.#rows = new Float64Array(size)
    let seen = 0
    for (let i = 0; i < urls.length; i += step)
      if (this.#history.likelihoods(urls[i], this.#rows, seen * RATES)) seen++
    return seen
  }
}

/** Adds up, over so many rows of likelihoods, how likely each rate is if rates are spread like that. */
function addPosteriors(
  spread: Float64Array,
  rows: Float64Array,
  count: number,
  weights: Float64Array,
): void {
  for (let first = 0; first < count * RATES; first += RATES) {
    let sum = 0
    for (let rate = 0; rate < RATES; rate++) sum += spread[rate] * rows[first + rate]
    const scale = 1 / sum
    for (let rate = 0; rate < RATES; rate++)
      weights[rate] += spread[rate] * rows[first + rate] * scale
  }
}
