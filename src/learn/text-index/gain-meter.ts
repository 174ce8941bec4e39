import type { TextIndex } from '#search/full-text/text-index.ts'
import { AffectedQueries } from '#search/gain/affected-queries.ts'
import type { WorthCurve, Yardstick } from '#search/gain/yardstick.ts'

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
  /** Whether there were no statistics to score pages by when the cycle began. */
  #wasEmpty = false
  #gains = new Map<number, number>()

  constructor(index: TextIndex, yardstick: Yardstick) {
    this.#index = index
    this.#yardstick = yardstick
    this.#affected = new AffectedQueries(index, yardstick.queries, yardstick.scoring)
  }

  /** Begins a cycle; the index is still as the last one left it, and is not compacted until the end. */
  begin(): void {
    this.#yardstick.refresh()
    this.#affected.freeze()
    this.#wasEmpty = this.#index.size === 0
  }

  /** To be called before the index replaces or removes a page. */
  before(url: number): void {
    this.#affected.noteOld(url)
  }

  /** To be called when it has done so, before it turns to another page. */
  after(url: number): void {
    this.#affected.noteNew(url)
  }

  /** Ends a cycle. In an empty index every score is worth itself, so the statistics may be those of afterwards. */
  end(): void {
    if (this.#wasEmpty) this.#affected.freeze()
    const { queries, shares } = this.#yardstick
    const urls = this.#affected.readCopies()
    const gains = new Float64Array(urls.length)
    for (let query = 0; query < queries.length; query++) {
      const visits = this.#affected.compare(query)
      if (visits > 0)
        addGains(this.#affected, visits, this.#yardstick.curveOf(query), shares[query], gains)
    }
    this.#gains = new Map()
    for (let visit = 0; visit < urls.length; visit++)
      if (gains[visit] !== 0) this.#gains.set(urls[visit], gains[visit])
  }

  /** What a fetch of the latest cycle was worth: 0 if it changed nothing that is shown. */
  gainOf(url: number): number {
    return this.#gains.get(url) ?? 0
  }
}

/** Adds to the gains of visits what the first so many of a list did for a query. */
function addGains(
  { visits, oldScores, newScores }: AffectedQueries,
  count: number,
  curve: WorthCurve,
  share: number,
  gains: Float64Array,
): void {
  for (let i = 0; i < count; i++) {
    const oldScore = oldScores[i]
    const newScore = newScores[i]
    if (oldScore !== newScore) gains[visits[i]] += share * curve.gainOfResult(oldScore, newScore)
  }
}
