import { type Csr, rowCount } from '#numeric/csr.ts'
import { LazyOrder } from '#numeric/lazy-order.ts'
import type { QueryAnswers } from '../../facts/acquisition-facts.ts'

/** The first so many results of a query speak for the pages they link to. */
const SPEAKERS = 20
/** What a link from the result of each rank counts. */
const STANDING = Float64Array.from({ length: SPEAKERS + 1 }, (_, rank) => 1 / Math.log2(1 + rank))

/**
 * What the pages that answer a query link to, and how well they rank. A page that is itself a result is
 * taken as if it were not: results below it count one rank higher. Arrays are by URL, and zero for URLs
 * that are not in `linked`.
 */
export class RankingParents {
  readonly #links: Csr
  readonly #answers: QueryAnswers
  /** Rank of each result that is kept, from 1 on. */
  readonly rankOf: Uint8Array
  /** Σ 1 / log2(1 + rank) over the results that link to a URL. */
  readonly standing: Float32Array
  readonly bestRank: Uint8Array
  readonly count: Uint8Array
  /** The first so many of a row that is as long as there are URLs. */
  readonly #linked: Uint32Array
  #linkedCount = 0
  #query = -1

  constructor(links: Csr, answers: QueryAnswers) {
    const urlCount = rowCount(links)
    this.#links = links
    this.#answers = answers
    this.rankOf = new Uint8Array(urlCount)
    this.standing = new Float32Array(urlCount)
    this.bestRank = new Uint8Array(urlCount)
    this.count = new Uint8Array(urlCount)
    this.#linked = new Uint32Array(urlCount)
  }

  get linked(): Uint32Array {
    return this.#linked.subarray(0, this.#linkedCount)
  }

  /** Looks at another query; only URLs with a 1 in `only` are listed. */
  look(query: number, only: Uint8Array): void {
    this.#forget()
    this.#query = query
    const { offsets, targets } = this.#links
    const { depth, kept, urls } = this.#answers
    const first = query * depth
    for (let i = 0; i < kept[query]; i++) this.rankOf[urls[first + i]] = i + 1
    for (let i = 0; i < Math.min(kept[query], SPEAKERS + 1); i++) {
      const speaker = urls[first + i]
      for (let edge = offsets[speaker]; edge < offsets[speaker + 1]; edge++)
        if (only[targets[edge]] === 1) this.#add(targets[edge], i + 1)
    }
  }

  /** What is linked to, those of highest standing first; of equals those of lower keys, or numbers. */
  *bestLinked(ties?: Uint32Array): Generator<number> {
    const { linked, standing } = this
    const standings = new Float64Array(linked.length)
    for (let i = 0; i < linked.length; i++) standings[i] = standing[linked[i]]
    const order = new LazyOrder(standings, ties ? linked.map((url) => ties[url]) : linked)
    for (let i = order.next(); i !== undefined; i = order.next()) yield linked[i]
  }

  #add(url: number, rankOfSpeaker: number): void {
    const own = this.rankOf[url]
    const rank = own > 0 && own < rankOfSpeaker ? rankOfSpeaker - 1 : rankOfSpeaker
    if (rank > SPEAKERS) return
    if (this.count[url] === 0) {
      this.#linked[this.#linkedCount++] = url
      this.bestRank[url] = rank // speakers come best first
    }
    this.standing[url] += STANDING[rank]
    this.count[url]++
  }

  #forget(): void {
    for (let i = 0; i < this.#linkedCount; i++) {
      const url = this.#linked[i]
      this.standing[url] = 0
      this.bestRank[url] = 0
      this.count[url] = 0
    }
    this.#linkedCount = 0
    if (this.#query < 0) return
    const { depth, kept, urls } = this.#answers
    for (let i = 0; i < kept[this.#query]; i++) this.rankOf[urls[this.#query * depth + i]] = 0
  }
}
