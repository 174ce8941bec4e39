/** What fetches and renderings have taken, added up. */
interface Taken {
  count: number
  ms: number
  bytes: number
}

/** What one of the two took. */
interface Effort {
  readonly ms: number
  readonly bytes: number
}

/** Before any was made, a rendering is thought to take as much as so many fetches; that counts as much as so many of them. */
const FIRST_GUESS = 4
const TRUST_IN_GUESS = 1
/** What all hosts teach counts as so many renderings on one. */
const TRUST_IN_ALL = 4
/**
 * A fetch is taken to last so long and bring so much at least. Near by, it takes a thousandth of a second: how often that goes
 * into a rendering says nothing about the web.
 */
const LEAST_MS = 200
const LEAST_BYTES = 20_000
const MOST = 100

/**
 * What a rendered fetch costs, in fetches: by half how many times longer it takes, by half how many times more bytes it
 * brings, each as the mean of those made so far.
 */
export class RenderCosts {
  readonly #fetches = new Map<number, Taken>()
  readonly #renderings = new Map<number, Taken>()
  readonly #allFetches = nothing()
  readonly #allRenderings = nothing()

  /** A page was fetched, or rendered; without a host, on one that nothing else is to be known of. */
  observe(host: number | undefined, effort: Effort, isRendered: boolean): void {
    add(isRendered ? this.#allRenderings : this.#allFetches, effort)
    if (host === undefined) return
    const sums = isRendered ? this.#renderings : this.#fetches
    const ofHost = sums.get(host) ?? nothing()
    sums.set(host, ofHost)
    add(ofHost, effort)
  }

  /** Renderings made so far. */
  get count(): number {
    return this.#allRenderings.count
  }

  /** What a rendered fetch of the host costs; a whole number of fetches. */
  of(host: number): number {
    const { count } = this.#allRenderings
    const usual = ratio(this.#allRenderings, this.#allFetches)
    const ofAll = (TRUST_IN_GUESS * FIRST_GUESS + count * usual) / (TRUST_IN_GUESS + count)
    const own = this.#renderings.get(host) ?? nothing()
    const ownRatio = ratio(own, this.#fetches.get(host) ?? this.#allFetches)
    const cost = (TRUST_IN_ALL * ofAll + own.count * ownRatio) / (TRUST_IN_ALL + own.count)
    return Math.min(MOST, Math.max(1, Math.round(cost)))
  }
}

function nothing(): Taken {
  return { count: 0, ms: 0, bytes: 0 }
}

function add(sums: Taken, { ms, bytes }: Effort): void {
  sums.count++
  sums.ms += ms
  sums.bytes += bytes
}

/** How many fetches a rendering is as dear as. */
function ratio(renderings: Taken, fetches: Taken): number {
  if (renderings.count === 0) return 0
  const perFetch = (sum: number) => (fetches.count > 0 ? sum / fetches.count : 0)
  const ms = renderings.ms / renderings.count / Math.max(LEAST_MS, perFetch(fetches.ms))
  const bytes = renderings.bytes / renderings.count / Math.max(LEAST_BYTES, perFetch(fetches.bytes))
  return (ms + bytes) / 2
}
