import { csrFromEdges } from '#numeric/csr.ts'
import { AffectedQueries } from '#search/affected-queries.ts'
import type { TextIndex } from '#search/text-index.ts'
import type { Yardstick } from '#search/yardstick.ts'

/** Score changes of a cycle that there is room for at first. */
const FIRST_ROOM = 1024

/**
 * Measures what each fetch of a cycle was worth while its pages are replaced in the index: by how much
 * the quality of the answers grew, as far as this page alone is concerned.
 *
 * The unit is the one that bids are made in: score × visibility, averaged over the searches of the
 * tracked queries (`QuerySketches.shares` sum to 1). So a gain of 0.5 means that searchers on average
 * see half a point of score more. All scores and curves of a cycle rest on the index as it was before,
 * which is what the plan knew; pages of one cycle do not compete with each other.
 */
export class GainMeter {
  readonly #index: TextIndex
  readonly #yardstick: Yardstick
  readonly #affected: AffectedQueries
  /** Scores that changed, kept till the end of the cycle: by query, curves are read faster. */
  readonly #moves = new ScoreMoves()
  /** Pages that came when there were no statistics to score them by; else undefined. */
  #waiting: number[] | undefined
  #gains = new Map<number, number>()

  constructor(index: TextIndex, yardstick: Yardstick) {
    this.#index = index
    this.#yardstick = yardstick
    this.#affected = new AffectedQueries(index, yardstick.queries, yardstick.scoring)
  }

  /** Begins a cycle; the index is still as the last one left it. */
  begin(): void {
    this.#yardstick.refresh()
    this.#affected.freeze()
    this.#moves.clear()
    this.#waiting = this.#index.size === 0 ? [] : undefined
  }

  /** To be called before the index replaces or removes a page. */
  before(url: number): void {
    this.#affected.noteOld(url)
  }

  /** To be called when it has done so, before it turns to another page. */
  after(url: number): void {
    if (this.#waiting) this.#waiting.push(url)
    else this.#compare(url)
  }

  /** Ends a cycle. In an empty index every score is worth itself, so the statistics may be those of afterwards. */
  end(): void {
    if (this.#waiting) this.#affected.freeze()
    for (const url of this.#waiting ?? []) this.#compare(url)
    this.#waiting = undefined
    this.#gains = this.#moves.gains(this.#yardstick)
  }

  /** What a fetch of the latest cycle was worth: 0 if it changed nothing that is shown. */
  gainOf(url: number): number {
    return this.#gains.get(url) ?? 0
  }

  #compare(url: number): void {
    const { queries, oldScores, newScores } = this.#affected
    const affected = this.#affected.compare(url)
    for (let i = 0; i < affected; i++)
      if (oldScores[i] !== newScores[i])
        this.#moves.add(url, queries[i], oldScores[i], newScores[i])
  }
}

/** Pages whose scores changed for queries; the room of one cycle serves the next. */
class ScoreMoves {
  #count = 0
  #urls = new Uint32Array(FIRST_ROOM)
  #queries = new Uint32Array(FIRST_ROOM)
  #oldScores = new Float64Array(FIRST_ROOM)
  #newScores = new Float64Array(FIRST_ROOM)

  clear(): void {
    this.#count = 0
  }

  add(url: number, query: number, oldScore: number, newScore: number): void {
    const move = this.#count++
    if (move === this.#urls.length) this.#grow()
    this.#urls[move] = url
    this.#queries[move] = query
    this.#oldScores[move] = oldScore
    this.#newScores[move] = newScore
  }

  /** What they are worth together, by page. */
  gains({ queries, shares, worth }: Yardstick): Map<number, number> {
    const moveQueries = this.#queries.subarray(0, this.#count)
    const [oldScores, newScores] = [this.#oldScores, this.#newScores]
    const worths = new Float64Array(this.#count)
    for (const move of inOrderOf(moveQueries, queries.length)) {
      const query = moveQueries[move]
      worths[move] = shares[query] * worth(query, oldScores[move], newScores[move])
    }
    return sumsByPage(this.#urls.subarray(0, this.#count), worths)
  }

  #grow(): void {
    const room = this.#urls.length * 2
    this.#urls = larger(this.#urls, new Uint32Array(room))
    this.#queries = larger(this.#queries, new Uint32Array(room))
    this.#oldScores = larger(this.#oldScores, new Float64Array(room))
    this.#newScores = larger(this.#newScores, new Float64Array(room))
  }
}

function larger<A extends Uint32Array | Float64Array>(values: A, room: A): A {
  room.set(values)
  return room
}

/** A page's moves lie together. */
function sumsByPage(urls: Uint32Array, worths: Float64Array): Map<number, number> {
  const sums = new Map<number, number>()
  for (let first = 0; first < urls.length; ) {
    const url = urls[first]
    let sum = 0
    let move = first
    for (; move < urls.length && urls[move] === url; move++) sum += worths[move]
    sums.set(url, sum)
    first = move
  }
  return sums
}

/** The places of small numbers, the lowest number first. */
function inOrderOf(numbers: Uint32Array, end: number): Uint32Array {
  const places = new Uint32Array(numbers.length)
  for (let place = 0; place < places.length; place++) places[place] = place
  return csrFromEdges(end, numbers, places).targets
}
