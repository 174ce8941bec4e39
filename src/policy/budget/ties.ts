import { type Hashes64, mixHash } from '#numeric/hash.ts'
import type { TieBreak } from '#numeric/lazy-order.ts'
import type { Random } from '#numeric/random.ts'

/**
 * What decides where gains do not, and what chance decides: the URL itself. Its number would not do, as the same URL
 * has another one in another bucket, or in a crawl that heard of it later.
 */
export interface TieRule {
  /** By URL number: the hash of the URL. Without it, where URLs are numbers and nothing else, the number is taken. */
  readonly hashes?: Hashes64
  /** Another seed, another order. Without hashes and seed the lower number wins. */
  readonly tieSeed?: number
}

/** By URL: two words of 32 bits, a key of 64. The lower key goes first; no two hashes have the same. */
interface TieKeys {
  first(url: number): number
  second(url: number): number
}

/** The keys that a rule gives. */
export function tieKeys({ hashes, tieSeed }: TieRule): TieKeys {
  if (hashes) {
    const { low, high } = hashes
    const seed = tieSeed ?? 0
    return { first: (url) => mixHash(seed, low[url]), second: (url) => mixHash(seed, high[url]) }
  }
  if (tieSeed === undefined) return { first: (url) => url, second: () => 0 }
  return { first: (url) => mixHash(tieSeed, url), second: () => 0 }
}

/** Which of two places in a list of URLs goes first, if all else is equal. */
export function tieBreak(urls: Uint32Array, rule: TieRule): TieBreak {
  const keys = tieKeys(rule)
  return (a, b) => {
    const order = keys.first(urls[a]) - keys.first(urls[b])
    return (order || keys.second(urls[a]) - keys.second(urls[b]) || a - b) < 0
  }
}

/** What lots are made with: the same words wherever URLs take part. */
export type LotSalt = readonly [number, number]

export function lotSalt(random: Random): LotSalt {
  return [random.below(2 ** 32), random.below(2 ** 32)]
}

/** Gives each URL a lot in [0, 1), with 53 bits: the same one whoever else takes part. */
export function lotsBy([salt, other]: LotSalt, { hashes }: TieRule): (url: number) => number {
  return (url) => {
    const first = mixHash(salt, hashes ? hashes.low[url] : url)
    const second = mixHash(first ^ other, hashes ? hashes.high[url] : url)
    return ((first >>> 5) * 0x4000000 + (second >>> 6)) * 2 ** -53
  }
}
