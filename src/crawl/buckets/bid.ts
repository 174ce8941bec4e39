import { boundOf } from '#numeric/bound-of.ts'
import type { Hashes64 } from '#numeric/hash.ts'
import { planAbove } from '#policy/budget/plan-above.ts'
import type { FetchQuota } from '#policy/budget/quota.ts'
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
  /** What of a gain new pages, copies and links are. */
  readonly acquire: Float64Array
  readonly refresh: Float64Array
  readonly discover: Float64Array
}

/** How bids are made. */
interface Bidding {
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

/**
 * What content is worth in each bid, before there is a price; second looks are no part of it, nor what is worked out
 * elsewhere.
 */
export function contentGains(
  { urls, level, acquire, refresh }: Draft,
  isElsewhere: (url: number) => boolean = () => false,
): Float64Array {
  const gains = new Float64Array(level.length)
  let count = 0
  for (let place = 0; place < level.length; place++)
    if (level[place] !== LEVELS.secondLook && !isElsewhere(urls[place]))
      gains[count++] = acquire[place] + refresh[place]
  return gains.subarray(0, count)
}

/** Makes the bids of a draft at a price, and walks down them as far as quotas and budget allow. */
export function bidBucket(draft: Draft, bidding: Bidding): BidList {
  const { price, found, hashes, seed, most } = bidding
  const { level } = draft
  const size = level.length
  const worth = found && linksWorth(found, price)
  const refresh = new Float64Array(size)
  const discover = new Float64Array(size)
  const gains = new Float64Array(size)
  for (let place = 0; place < size; place++) {
    refresh[place] = Math.max(draft.refresh[place], draft.leastPrices[place] * price)
    discover[place] = draft.links[place] * worthOf(worth, draft.finder[place]) * draft.days[place]
    gains[place] = gainOf(draft, place, refresh[place] + discover[place])
  }
  const all = { urls: Uint32Array.from(level.keys()), gains }
  const limits = { budget: most, quotas: quotasOf(draft), hashes, tieSeed: seed }
  const { urls: places, values, first, second } = planAbove(all, 0, limits)
  const of = (column: Float64Array) => Float64Array.from(places, (place) => column[place])
  const acquire = of(draft.acquire)
  return {
    places,
    gains: values,
    first,
    second,
    acquire,
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

/** The quotas of a draft, for its places; what is exempt is a group without a cap. */
function quotasOf({ groups, rooms }: Draft): FetchQuota[] {
  return groups.map((groups, quota) => {
    const most = new Float64Array(boundOf(groups)).fill(Number.POSITIVE_INFINITY)
    for (let place = 0; place < groups.length; place++)
      if (groups[place] > 0) most[groups[place]] = rooms[quota][place]
    return { groups, most }
  })
}
