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
    this.#moves.add(url, this.#affected, this.#affected.compare(url))
  }
}

/** Pages whose scores changed for queries; the room of one cycle serves the next. */
class ScoreMoves {
  /** The pages of the cycle, by place. */
  #urls: number[] = []
  #count = 0
  /** By move: the page's place, the query, and in `scores` the old and the new score. */
  #pages = new Uint32Array(FIRST_ROOM)
  #queries = new Uint32Array(FIRST_ROOM)
  #scores = new Float64Array(2 * FIRST_ROOM)

  clear(): void {
    this.#urls = []
    this.#count = 0
  }

  /** Takes in what a page's change did to the first so many queries of a list. */
  add(url: number, { queries, oldScores, newScores }: AffectedQueries, affected: number): void {
    while (this.#count + affected > this.#pages.length) this.#grow()
    const [pages, moveQueries, scores] = [this.#pages, this.#queries, this.#scores]
    const page = this.#urls.push(url) - 1
    let move = this.#count
    for (let i = 0; i < affected; i++) {
      const oldScore = oldScores[i]
      const newScore = newScores[i]
      if (oldScore === newScore) continue
      pages[move] = page
      moveQueries[move] = queries[i]
      scores[2 * move] = oldScore
      scores[2 * move + 1] = newScore
      move++
    }
    this.#count = move
  }

  /** What they are worth together, by page. */
  gains({ queries, shares, worth }: Yardstick): Map<number, number> {
    const { offsets, pages, scores } = this.#byQuery(queries.length)
    const sums = new Float64Array(this.#urls.length)
    for (let query = 0; query < queries.length; query++) {
      const share = shares[query]
      const end = offsets[query + 1]
      for (let move = offsets[query]; move < end; move++)
        sums[pages[move]] += share * worth(query, scores[2 * move], scores[2 * move + 1])
    }
    const gains = new Map<number, number>()
    for (let page = 0; page < sums.length; page++)
      if (sums[page] !== 0) gains.set(this.#urls[page], sums[page])
    return gains
  }

  /** The moves in the order of their queries: each curve is then fetched from memory once. */
  #byQuery(queryCount: number) {
    const moveQueries = this.#queries.subarray(0, this.#count)
    const offsets = new Uint32Array(queryCount + 1)
    for (let move = 0; move < moveQueries.length; move++) offsets[moveQueries[move] + 1]++
    for (let query = 0; query < queryCount; query++) offsets[query + 1] += offsets[query]
    const next = offsets.slice()
    const pages = new Uint32Array(moveQueries.length)
    const scores = new Float64Array(2 * moveQueries.length)
    const [unsortedPages, unsortedScores] = [this.#pages, this.#scores]
    for (let move = 0; move < moveQueries.length; move++) {
      const to = next[moveQueries[move]]++
      pages[to] = unsortedPages[move]
      scores[2 * to] = unsortedScores[2 * move]
      scores[2 * to + 1] = unsortedScores[2 * move + 1]
    }
    return { offsets, pages, scores }
  }

  #grow(): void {
    const room = this.#pages.length * 2
    this.#pages = larger(this.#pages, new Uint32Array(room))
    this.#queries = larger(this.#queries, new Uint32Array(room))
    this.#scores = larger(this.#scores, new Float64Array(2 * room))
  }
}

function larger<A extends Uint32Array | Float64Array>(values: A, room: A): A {
  room.set(values)
  return room
}
