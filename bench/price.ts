import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Keyed } from '#numeric/select/digit-counts.ts'
import { mergedCounts } from '#numeric/select/digit-counts.ts'
import { decodeCounts } from '#numeric/select/digit-message.ts'
import {
  byOrder,
  type Cut,
  isFew,
  lastOf,
  type Narrowed,
  narrow,
  seekRank,
} from '#numeric/select/select-digits.ts'
import { benchmark, mustHold } from './harness/benchmark.ts'
import { measure, rounded } from './harness/cost.ts'
import type { Asked } from './price/bucket-worker.ts'
import { MadeUpBids } from './price/made-up-bids.ts'

/** What finding the price may take, and what a bucket may send for it in all. */
const LIMITS = { seconds: 300, bytesOfBucket: 50_000 }
/** A value and the two words of its tie. */
const BYTES_OF_BID = 16
/** So many bids are sorted, to compare. */
const SORTED = 2_000_000

export default benchmark({
  about:
    'Finds the price of a budget among bids of many buckets, exactly, and what it sends for it',
  flags: { bids: 1_000_000_000, buckets: 1_000, budget: 20_000_000, workers: 2, seed: 7 },
  async run({ bids, buckets, budget, workers, seed }) {
    const crew = new Crew(workers)
    const few = { buckets, size: Math.max(1, Math.floor(SORTED / buckets)), seed }
    const ranks = [0.001, 0.02, 0.5, 0.99].map((share) => Math.ceil(share * SORTED))
    const isSmallExact = await agreesWithSorting(crew, few, ranks)
    const web = { buckets, size: Math.floor(bids / buckets), seed }
    const { result: found, cost } = await measure('find the price', () => select(crew, web, budget))
    const { result: above, cost: counting } = await measure('count what precedes it', () =>
      crew.ask({ ...web, work: { kind: 'precede', cut: found.cut } }),
    )
    crew.end()
    const preceding = (above as number[]).reduce((sum, count) => sum + count, 0)
    const isExact = isSmallExact && preceding === budget - 1
    const { wallSeconds: seconds, cpuSeconds } = cost
    const bytesOfBucket = Math.max(...found.bytes)
    const isWithin = mustHold(
      isExact && seconds <= LIMITS.seconds && bytesOfBucket <= LIMITS.bytesOfBucket,
    )
    return {
      ...{ isWithin, isExact, seconds, bytesOfBucket, limits: LIMITS },
      ...{ bids: web.size * buckets, buckets, budget, workers, seed, cpuSeconds },
      ...{ price: found.cut.value, rounds: found.rounds, collected: found.collected },
      check: { sorted: few.size * buckets, ranks, isSmallExact, preceding, ...counting },
      megabytesInAll: rounded(found.bytes.reduce((sum, one) => sum + one, 0) / 1e6),
    }
  },
})

type Web = Pick<Asked, 'size' | 'seed'> & { readonly buckets: number }

/** Threads that have the buckets between them, and answer in the order of these. */
class Crew {
  readonly #workers: readonly Worker[]

  constructor(count: number) {
    const file = join(import.meta.dirname, 'price', 'bucket-worker.ts')
    this.#workers = Array.from({ length: count }, () => new Worker(file))
  }

  async ask({ buckets, ...asked }: Web & Pick<Asked, 'work'>): Promise<unknown[]> {
    const all = Array.from({ length: buckets }, (_, bucket) => bucket)
    const answers = this.#workers.map((worker, i) => {
      const own = all.filter((bucket) => bucket % this.#workers.length === i)
      return answerOf(worker, { ...asked, buckets: own })
    })
    const byWorker = await Promise.all(answers)
    return all.map(
      (bucket) => byWorker[bucket % byWorker.length][Math.floor(bucket / byWorker.length)],
    )
  }

  end(): void {
    for (const worker of this.#workers) void worker.terminate()
  }
}

function answerOf(worker: Worker, asked: Asked): Promise<unknown[]> {
  return new Promise((resolve, reject) => {
    worker.once('error', reject)
    worker.once('message', (answer) => {
      worker.off('error', reject)
      resolve(answer)
    })
    worker.postMessage(asked)
  })
}

/** The bid that is budget-th of all, what each bucket sent until it was found, and in how many rounds. */
async function select(crew: Crew, web: Web, budget: number) {
  const bytes = new Array<number>(web.buckets).fill(0)
  let at: Narrowed = seekRank(budget)
  let rounds = 0
  for (; !isFew(at); rounds++) {
    const work = { kind: 'count', leading: at.leading } as const
    const messages = (await crew.ask({ ...web, work })) as Uint8Array[]
    messages.forEach((message, bucket) => {
      bytes[bucket] += message.length
    })
    const next = narrow(at, mergedCounts(messages.map(decodeCounts)))
    if (next === undefined) throw new Error(`there are fewer than ${budget} bids`)
    at = next
  }
  const few = (await crew.ask({ ...web, work: { kind: 'collect', at } })) as Keyed[]
  few.forEach(({ values }, bucket) => {
    bytes[bucket] += values.length * BYTES_OF_BID
  })
  const collected = few.reduce((sum, { values }) => sum + values.length, 0)
  return { cut: lastOf(few, at), rounds, collected, bytes }
}

/** Whether sorting all bids of a smaller web gives the same, to the last bit of value and tie. */
async function agreesWithSorting(crew: Crew, web: Web, ranks: readonly number[]): Promise<boolean> {
  const made = new MadeUpBids(web.size)
  const all: Cut[] = []
  for (let bucket = 0; bucket < web.buckets; bucket++) {
    const { values, first, second } = made.of(bucket, web.seed, true)
    for (let i = 0; i < values.length; i++)
      all.push({ value: values[i], first: first![i], second: second![i] })
  }
  all.sort(byOrder)
  for (const rank of ranks) {
    const { cut } = await select(crew, web, rank)
    if (byOrder(cut, all[rank - 1]) !== 0) return false
  }
  return true
}
