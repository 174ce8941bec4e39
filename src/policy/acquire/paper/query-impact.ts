import { type Csr, csrFromEdges, rowOf } from '#numeric/csr.ts'
import type { AcquisitionFacts } from '../../facts/acquisition-facts.ts'
import { heldScores, type ImpactSketch, sketchOf, worthsTogether } from './impact-sketch.ts'
import { PlaceHeap } from './place-heap.ts'

/** Pages not fetched with the scores that are expected of them for queries; the arrays go together. */
export interface ScoredPairs {
  readonly queries: Uint32Array
  readonly urls: Uint32Array
  readonly scores: Float64Array
}

type SketchFacts = Pick<AcquisitionFacts, 'answers' | 'worth' | 'queries'>

/**
 * Σ over queries of weight × worth, by URL: what pages are worth when all of them compete for the
 * places at once, fetched or not.
 *
 * @paper PandeyOlston2008 §5 Eq. 1
 */
export function impactsTogether(
  { answers, worth, queries }: SketchFacts,
  pairs: ScoredPairs,
  urlCount: number,
): Float64Array {
  const impacts = new Float64Array(urlCount)
  const byQuery = pairsByQuery(pairs, queries.length)
  for (const [query, { weight }] of queries.entries()) {
    const rows = rowOf(byQuery, query)
    if (rows.length === 0) continue
    const expected = Float64Array.from(rows, (row) => pairs.scores[row])
    const worths = worthsTogether(heldScores(answers, query), expected, worth)
    for (let i = 0; i < rows.length; i++) impacts[pairs.urls[rows[i]]] += weight * worths[i]
  }
  return impacts
}

/** What counts for a page: its impact by queries, times a factor, plus something of its own. */
export interface Mixture {
  readonly queryFactor: number
  /** By place among the candidates. */
  readonly others: Float64Array
}

/** What candidates are worth in the order in which they were chosen, and which were; by place. */
export interface ChosenInTurn {
  readonly gains: Float64Array
  readonly order: Uint32Array
}

/**
 * Chooses so many candidates one after the other, each by what it adds to the results and the pages
 * chosen before it, whose expected scores hold their places. The others get what they would add then.
 *
 * @paper PandeyOlston2008 §5.1 — theirs are made once, of all pages not fetched, chosen or not; ours
 * of chosen ones only, and anew after each choice, but looked at only where that can matter.
 */
export function chooseInTurn(
  facts: SketchFacts,
  pairs: ScoredPairs,
  candidates: Uint32Array,
  budget: number,
  { queryFactor, others }: Mixture,
): ChosenInTurn {
  const sketches = new Sketches(facts, pairs, candidates)
  const valueAt = (place: number) => queryFactor * sketches.impactAt(place) + others[place]
  const gains = Float64Array.from(candidates, (_, place) => valueAt(place))
  const heap = new PlaceHeap(gains)
  const order: number[] = []
  while (order.length < budget && heap.size > 0) {
    const place = heap.first
    // What the heap says may be too much by now, never too little.
    gains[place] = valueAt(place)
    heap.moved(place)
    if (heap.first !== place) continue
    heap.remove(place)
    order.push(place)
    for (const risen of sketches.take(place)) {
      if (!heap.has(risen)) continue
      gains[risen] = valueAt(risen)
      heap.moved(risen)
    }
  }
  for (let place = 0; place < gains.length; place++)
    if (heap.has(place)) gains[place] = valueAt(place)
  return { gains, order: Uint32Array.from(order) }
}

/** The sketches of all queries, with who is matched by which. */
class Sketches {
  readonly #facts: SketchFacts
  readonly #pairs: ScoredPairs
  readonly #byQuery: Csr
  readonly #byPlace: Csr
  /** Of each pair: its page's place among the candidates. */
  readonly #places: Uint32Array
  /** By query; made when first looked at. */
  readonly #sketches: (ImpactSketch | undefined)[]

  constructor(facts: SketchFacts, pairs: ScoredPairs, candidates: Uint32Array) {
    const placeOf = new Map<number, number>()
    candidates.forEach((url, place) => {
      placeOf.set(url, place)
    })
    this.#facts = facts
    this.#pairs = pairs
    this.#places = pairs.urls.map((url) => placeOf.get(url)!)
    this.#byQuery = pairsByQuery(pairs, facts.queries.length)
    const rows = Uint32Array.from(pairs.urls.keys())
    this.#byPlace = csrFromEdges(candidates.length, this.#places, rows)
    this.#sketches = new Array(facts.queries.length)
  }

  impactAt(place: number): number {
    const { queries, scores } = this.#pairs
    let sum = 0
    for (const row of rowOf(this.#byPlace, place))
      sum += this.#facts.queries[queries[row]].weight * this.#of(queries[row]).gainOf(scores[row])
    return sum
  }

  /** The page is chosen; gives the places of those whose impact may have risen. */
  take(place: number): number[] {
    const { queries, scores } = this.#pairs
    const risen: number[] = []
    for (const row of rowOf(this.#byPlace, place))
      if (this.#of(queries[row]).take(scores[row]))
        for (const other of rowOf(this.#byQuery, queries[row])) risen.push(this.#places[other])
    return risen
  }

  #of(query: number): ImpactSketch {
    const { answers, worth } = this.#facts
    this.#sketches[query] ??= sketchOf(heldScores(answers, query), worth)
    return this.#sketches[query]
  }
}

/** By query: the rows of its pairs. */
function pairsByQuery({ queries }: ScoredPairs, queryCount: number): Csr {
  return csrFromEdges(queryCount, queries, Uint32Array.from(queries.keys()))
}
