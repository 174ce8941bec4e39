import { BoundHeap } from '#numeric/bound-heap.ts'
import type { Csr } from '#numeric/csr.ts'
import type { CandidateValues } from './candidate-values.ts'
import type { ExpectedPairs } from './page-value.ts'
import { TOP_K, unitOf, worthsOf } from './worth.ts'

/** Below every value, which are at least 0: what is taken is not taken again. */
const TAKEN = -1
/** What a query expects of its best answer if it has none yet, as a share of a perfect one. */
const BEST_UNKNOWN = 0.5

/**
 * The places that queries have, and how far pages chosen so far are expected to take them: two pages must
 * not both claim one. A query of which as much is taken as it has room for wants others half as much.
 */
export class Slots {
  readonly #pairs: ExpectedPairs
  readonly #byUrl: Csr
  readonly #units: Float64Array
  readonly #taken: Float64Array
  /** By query: what taken would leave half. */
  readonly #room: Float64Array

  constructor({
    survey,
    pairs,
    pairsByUrl,
  }: Pick<CandidateValues, 'survey' | 'pairs' | 'pairsByUrl'>) {
    const { facts, weights } = survey
    const { answers, worth } = facts
    this.#pairs = pairs
    this.#byUrl = pairsByUrl
    this.#units = weights.map((weight, query) => weight * unitOf(answers, query, worth))
    this.#taken = new Float64Array(weights.length)
    this.#room = weights.map((_, query) =>
      worth === 'gain' ? (worthsOf(answers, query, worth)[0] ?? BEST_UNKNOWN) : TOP_K,
    )
  }

  /** How much less the queries expect of a page than if nothing were taken. */
  lossOf(url: number): number {
    const { offsets, targets } = this.#byUrl
    const { queries, expected } = this.#pairs
    let sum = 0
    for (let i = offsets[url]; i < offsets[url + 1]; i++) {
      const query = queries[targets[i]]
      const taken = this.#taken[query]
      sum += (this.#units[query] * expected[targets[i]] * taken) / (this.#room[query] + taken)
    }
    return sum
  }

  /** The page is chosen. */
  take(url: number): void {
    const { offsets, targets } = this.#byUrl
    const { queries, expected } = this.#pairs
    for (let i = offsets[url]; i < offsets[url + 1]; i++)
      this.#taken[queries[targets[i]]] += expected[targets[i]]
  }
}

/** A choice in which each thing taken makes others worth less, never more. */
export interface Choice {
  valueNow(i: number): number
  take(i: number): void
}

/**
 * The values of things when the best `count` of them are taken in turn: of those taken, when it was their
 * turn; of the others, when somebody last looked. Never above the `values` they have alone, nor below 0.
 */
export function valuesInTurn(values: Float64Array, count: number, choice: Choice): Float64Array {
  const inTurn = values.slice()
  // What the heap goes by may be too much by now, never too little.
  const heap = new BoundHeap(values.slice())
  for (let taken = 0; taken < count && heap.bound >= 0; ) {
    const first = heap.top
    const now = choice.valueNow(first)
    if (now < inTurn[first]) {
      inTurn[first] = now
      heap.lower(now)
      if (heap.top !== first) continue
    }
    heap.lower(TAKEN)
    choice.take(first)
    taken++
  }
  return inTurn
}
