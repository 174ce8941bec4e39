/** How much a crawl that goes on for good may send. */
export interface Rate {
  /** In any 24 hours. */
  readonly fetchesADay: number
  /** So many may be saved up while nothing is sent. */
  readonly burst: number
}

/** Fetches that were sent at about the same time. */
export interface Sent {
  /** Seconds since 1970; of several, the latest. */
  readonly at: number
  readonly fetches: number
}

export const DAY_SECONDS = 86_400
/** Smaller plans choose worse: what they may try of new hosts, and what is sampled, goes by their size. */
const LEAST_LOT = 50
/** Nine tenths and a tenth are to be one fetch. */
const ROUNDING = 1e-6

/**
 * What a rate allows: a token bucket that holds a burst, and never more than a day's fetches in 24 hours. It is granted
 * by the lot, as each grant means a plan; what is granted may be sent at any time.
 */
export class Allowance {
  readonly #rate: Rate
  readonly #lot: number
  /** The last 24 hours, oldest first. */
  readonly #sent: { at: number; fetches: number }[] = []
  #sentInDay = 0
  #saved: number
  #at: number
  #granted = 0
  #hasBegun = false

  /** `before`: what was sent in the last 24 hours, oldest first. Who sent nothing in that time has saved a whole burst. */
  constructor(rate: Rate, now: number, before: readonly Sent[] = []) {
    this.#rate = rate
    this.#lot = Math.min(rate.burst, Math.max(LEAST_LOT, Math.floor(rate.burst / 2)))
    this.#saved = before.length > 0 ? 0 : rate.burst
    this.#at = now - DAY_SECONDS
    for (const { at, fetches } of before) this.charge(at, fetches)
    this.#advance(now)
  }

  /** What may still be sent of the fetches of these 24 hours. */
  leftInDay(now: number): number {
    this.#advance(now)
    return Math.max(0, this.#rate.fetchesADay - this.#sentInDay)
  }

  /**
   * Grants all that is saved, if that is a lot more than was granted before; gives what is granted by now. Who begins
   * plans anyway, and may have been cut off amid a lot: it gets what there is.
   */
  grant(now: number): number {
    const free = Math.min(this.leftInDay(now), Math.floor(this.#saved + ROUNDING))
    if (!this.#hasBegun || free - this.#granted >= this.#lot) this.#granted = free
    this.#hasBegun = true
    return this.#granted
  }

  /** When the next lot will be there, if nothing is sent until then. */
  grantAt(now: number): number {
    const wanted = this.#granted + this.#lot
    this.#advance(now)
    const savedAt = this.#at + Math.max(0, wanted - this.#saved) / this.#perSecond
    let missing = wanted - this.leftInDay(now)
    let freeAt = now
    for (const { at, fetches } of this.#sent) {
      if (missing <= 0) break
      missing -= fetches
      freeAt = at + DAY_SECONDS
    }
    return Math.max(savedAt, freeAt, now)
  }

  /** Notes what was sent. Late is safe: it only counts for longer. */
  charge(at: number, fetches: number): void {
    if (fetches <= 0) return
    this.#advance(at)
    // By another rate more may have been sent than this one allows: the 24 hours see to that.
    this.#saved = Math.max(0, this.#saved - fetches)
    this.#granted = Math.max(0, this.#granted - fetches)
    const last = this.#sent.at(-1)
    if (last && minuteOf(last.at) === minuteOf(at)) {
      last.at = at
      last.fetches += fetches
    } else this.#sent.push({ at, fetches })
    this.#sentInDay += fetches
  }

  get #perSecond(): number {
    return this.#rate.fetchesADay / DAY_SECONDS
  }

  /** A clock that was set back changes nothing. */
  #advance(now: number): void {
    const seconds = Math.max(0, now - this.#at)
    this.#saved = Math.min(this.#rate.burst, this.#saved + seconds * this.#perSecond)
    this.#at += seconds
    while (this.#sent.length > 0 && this.#sent[0].at + DAY_SECONDS <= this.#at)
      this.#sentInDay -= this.#sent.shift()!.fetches
  }
}

/** Sends of one minute are remembered together. */
function minuteOf(at: number): number {
  return Math.floor(at / 60)
}
