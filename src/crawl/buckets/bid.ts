import type { Hashes64 } from '#numeric/hash.ts'
import { LazyOrder } from '#numeric/lazy-order.ts'
import { tieKeys } from '#policy/budget/ties.ts'
import { type LinksWorth, linksWorth } from '#policy/discover/links-worth.ts'
import { type Draft, type FoundColumns, LEVELS } from './draft.ts'

/** What a bucket would have fetched if there were no others, best first, as far as its quotas allow. */
export interface BidList {
  /** In the draft. */
  readonly places: Uint32Array
  readonly gains: Float64Array
  /** Of equal gains the lower key goes first: two words. */
  readonly first: Uint32Array
  readonly second: Uint32Array
  /** What of a gain copies and links are. */
  readonly refresh: Float64Array
  readonly discover: Float64Array
}

/** How bids are made. */
export interface Bidding {
  /** The price of content, where bids are in one currency. */
  readonly price: number
  /** In quality a link is worth what such links were; else 1. */
  readonly found?: FoundColumns
  /** By place: the hash of the URL. */
  readonly hashes: Hashes64
  readonly seed: number
  /** Fetches of all buckets together: none can have more. */
  readonly most: number
}

/** Second looks come behind everything that is bid for. */
const LOOK_GAIN = 1e-300

/** What content is worth in each bid, before there is a price; second looks and what comes first are no part of it. */
export function contentGains({ level, acquire, refresh }: Draft): Float64Array {
  const gains = new Float64Array(level.length)
  let count = 0
  for (let place = 0; place < level.length; place++)
    if (level[place] !== LEVELS.secondLook) gains[count++] = acquire[place] + refresh[place]
  return gains.subarray(0, count)
}

/** Makes the bids of a draft at a price, and walks down them as far as quotas and budget allow. */
export function bidBucket(draft: Draft, bidding: Bidding): BidList {
  const { price, found, hashes, seed, most } = bidding
  const size = draft.level.length
  const worth = found && linksWorth(found, price)
  const refresh = new Float64Array(size)
  const discover = new Float64Array(size)
  const gains = new Float64Array(size)
  for (let place = 0; place < size; place++) {
    refresh[place] = Math.max(draft.refresh[place], draft.leastPrices[place] * price)
    discover[place] = draft.links[place] * worthOf(worth, draft.finder[place]) * draft.days[place]
    gains[place] = gainOf(draft, place, refresh[place] + discover[place])
  }
  const { first, second } = tieKeys({ hashes, tieSeed: seed })
  const order = new LazyOrder(
    gains,
    (a, b) => (first(a) - first(b) || second(a) - second(b) || a - b) < 0,
  )
  const rooms = new Rooms(draft)
  const places: number[] = []
  for (let left = Math.min(most, size); left > 0; ) {
    const place = order.next()
    if (place === undefined) break
    if (!rooms.take(place)) continue
    places.push(place)
    left--
  }
  const chosen = Uint32Array.from(places)
  const of = (column: Float64Array) => Float64Array.from(chosen, (place) => column[place])
  return {
    places: chosen,
    gains: of(gains),
    first: Uint32Array.from(chosen, first),
    second: Uint32Array.from(chosen, second),
    refresh: of(refresh),
    discover: of(discover),
  }
}

function worthOf(worth: LinksWorth | undefined, finder: number): number {
  return worth ? worth.of(finder) : 1
}

function gainOf({ level, acquire, other }: Draft, place: number, more: number): number {
  if (level[place] === LEVELS.secondLook) return (1 + acquire[place]) * LOOK_GAIN
  if (level[place] > LEVELS.bid) return Number.MAX_VALUE / 2 ** (LEVELS.asked - level[place])
  return acquire[place] + other[place] + more
}

/** The room that quotas leave. */
class Rooms {
  readonly #draft: Draft
  readonly #taken: readonly Uint32Array[]

  constructor(draft: Draft) {
    this.#draft = draft
    this.#taken = draft.groups.map((groups) => {
      let most = 0
      for (const group of groups) most = Math.max(most, group)
      return new Uint32Array(most + 1)
    })
  }

  /** Takes a place if every quota has room for it. */
  take(place: number): boolean {
    const { groups, rooms } = this.#draft
    for (let quota = 0; quota < groups.length; quota++) {
      const group = groups[quota][place]
      if (group > 0 && this.#taken[quota][group] >= rooms[quota][place]) return false
    }
    for (let quota = 0; quota < groups.length; quota++) this.#taken[quota][groups[quota][place]]++
    return true
  }
}
