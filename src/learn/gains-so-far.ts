/** What a fetch was expected to gain, by the corrected bids, what it gained, and the URLs it brought. */
export interface GainedFetch {
  readonly expected: number
  readonly gain: number
  readonly newUrls: number
}

/** A mean, and the standard error of it. */
interface Estimate {
  readonly mean: number
  readonly error: number
}

/** About so many of the latest fetches tell how a crawl goes of late: fewer are a matter of luck. */
const LATELY = 200

/**
 * What the measured fetches of a crawl gained, and what was expected of them. What the latest tell counts, and one
 * gain as large as usual at the odds of the whole crawl: where gains are few and large, the latest may just have missed.
 */
export class GainsSoFar {
  readonly #all = new Sums()
  readonly #lately = new Sums()

  get fetches(): number {
    return this.#all.fetches
  }

  /** All that was gained. */
  get gain(): number {
    return this.#all.gain
  }

  learn(fetch: GainedFetch): void {
    this.#all.add(fetch)
    this.#lately.fade(1 - 1 / LATELY)
    this.#lately.add(fetch)
  }

  /** What a fetch gains of late. */
  pace(): Estimate {
    const { all, usual } = this.#past()
    return ratioOf(this.#lately, usual, (usual * all.fetches) / all.gain, 'fetches')
  }

  /** What is gained of late for each unit of expected gain; undefined where nothing was expected. */
  truth(): Estimate | undefined {
    const { all, usual } = this.#past()
    if (all.expected <= 0) return undefined
    return ratioOf(this.#lately, usual, (usual * all.expected) / all.gain, 'expected')
  }

  /** URLs that a fetch brings of late. */
  newUrls(): number {
    return this.#lately.fetches > 0 ? this.#lately.newUrls / this.#lately.fetches : 0
  }

  /** The whole crawl, and how large a gain usually is where there is one. */
  #past() {
    const all = this.#all
    return { all, usual: all.gain > 0 ? all.squares / all.gain : 0 }
  }
}

/** Sums over fetches. */
class Sums {
  fetches = 0
  gain = 0
  /** Of gains, of expected gains, and of both. */
  squares = 0
  expected = 0
  expectedSquares = 0
  products = 0
  newUrls = 0

  add({ expected, gain, newUrls }: GainedFetch): void {
    this.fetches++
    this.gain += gain
    this.squares += gain ** 2
    this.expected += expected
    this.expectedSquares += expected ** 2
    this.products += expected * gain
    this.newUrls += newUrls
  }

  fade(share: number): void {
    this.fetches *= share
    this.gain *= share
    this.squares *= share
    this.expected *= share
    this.expectedSquares *= share
    this.products *= share
    this.newUrls *= share
  }
}

/** The ratio of gains to another sum, with one usual gain more on either side. */
function ratioOf(
  lately: Sums,
  usual: number,
  usualBase: number,
  base: 'fetches' | 'expected',
): Estimate {
  const total = lately[base] + usualBase
  if (!(total > 0)) return { mean: 0, error: 0 }
  const mean = (lately.gain + usual) / total
  const [products, squares] =
    base === 'fetches' ? [lately.gain, lately.fetches] : [lately.products, lately.expectedSquares]
  const residues = lately.squares - 2 * mean * products + mean ** 2 * squares
  return { mean, error: Math.sqrt(Math.max(0, residues) + usual ** 2) / total }
}
