import { LazyOrder } from '#numeric/lazy-order.ts'
import type { Bids } from '#policy/bids.ts'
import { tieBreak } from '#policy/budget/ties.ts'

/** Every URL one policy bids for, in the order `planFetches` would take them, and nothing else. */
export function bestFirst({ urls, gains }: Bids, tieSeed?: number): Uint32Array {
  const order = new LazyOrder(gains, tieBreak(urls, { tieSeed }))
  const sorted = new Uint32Array(urls.length)
  for (let place = 0; place < sorted.length; place++) sorted[place] = urls[order.next() as number]
  return sorted
}
