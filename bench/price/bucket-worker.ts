import { parentPort } from 'node:worker_threads'
import { digitCounts } from '#numeric/select/digit-counts.ts'
import { encodeCounts } from '#numeric/select/digit-message.ts'
import { type Cut, collected, type Narrowed } from '#numeric/select/select-digits.ts'
import { MadeUpBids } from './made-up-bids.ts'

/** What is asked of the buckets of a worker. */
export interface Asked {
  readonly buckets: readonly number[]
  readonly size: number
  readonly seed: number
  readonly work:
    | { readonly kind: 'count'; readonly leading: readonly number[] }
    | { readonly kind: 'collect'; readonly at: Narrowed }
    | { readonly kind: 'precede'; readonly cut: Cut }
}

let bids: MadeUpBids | undefined
let bidCount = 0
parentPort!.on('message', (asked: Asked) => {
  if (bidCount !== asked.size) bids = new MadeUpBids(asked.size)
  bidCount = asked.size
  parentPort!.postMessage(asked.buckets.map((bucket) => answer(asked, bucket)))
})

function answer({ seed, work }: Asked, bucket: number) {
  const withTies = work.kind !== 'count' || work.leading.length >= 4
  const keyed = bids!.of(bucket, seed, withTies)
  if (work.kind === 'count') return encodeCounts(digitCounts(keyed, work.leading))
  if (work.kind === 'collect') return collected(keyed, work.at)
  return preceding(keyed as Required<typeof keyed>, work.cut)
}

/** How many precede the cut, by plain comparison. */
function preceding(
  { values, first, second }: { values: Float64Array; first: Uint32Array; second: Uint32Array },
  cut: Cut,
): number {
  let count = 0
  for (let i = 0; i < values.length; i++) {
    if (values[i] > cut.value) count++
    else if (values[i] === cut.value)
      if (first[i] < cut.first || (first[i] === cut.first && second[i] < cut.second)) count++
  }
  return count
}
