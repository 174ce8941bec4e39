import { BoundHeap } from '#numeric/bound-heap.ts'
import type { Csr } from '#numeric/csr.ts'
import { TOP_K } from '../facts/worth.ts'
import type { CandidateValues } from './candidate-values.ts'
import type { ExpectedPairs } from './page-value.ts'

/** Below every value, which are at least 0: what is taken is not taken again. */
const TAKEN = -1

/**
 * The capacity of queries for new results, and how far pages chosen so far are expected to use it up: two pages must
 * not both claim one place. A query of which as much is taken as it has places expects others to be worth half.
 */
export class QueryCapacity {
  readonly #pairs: ExpectedPairs
  readonly #byUrl: Csr
  readonly #weights: Float64Array
  /** By query: how many good results the pages chosen are expected to be. */
  readonly #taken: Float64Array

  constructor({
    survey,
    pairs,
    pairsByUrl,
  }: Pick<CandidateValues, 'pairs' | 'pairsByUrl'> & {
    readonly survey: Pick<CandidateValues['survey'], 'weights'>
  }) {
    this.#pairs = pairs
    this.#byUrl = pairsByUrl
    this.#weights = survey.weights
    this.#taken = new Float64Array(survey.weights.length)
  }

  /** How much less the queries expect of a page than if nothing were taken. */
  lossOf(url: number): number {
    const { offsets, targets } = this.#byUrl
    const { queries, expected } = this.#pairs
    let sum = 0
    for (let i = offsets[url]; i < offsets[url + 1]; i++) {
      const query = queries[targets[i]]
      const taken = this.#taken[query]
      sum += (this.#weights[query] * expected[targets[i]] * taken) / (TOP_K + taken)
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
interface Choice {
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
