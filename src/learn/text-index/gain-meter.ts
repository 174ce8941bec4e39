import type { Copy, TextIndex } from '#search/full-text/text-index.ts'
import { AffectedQueries } from '#search/gain/affected-queries.ts'
import type { Yardstick } from '#search/gain/yardstick.ts'

/** Links call a page by other words than before. */
interface Renaming {
  /** Its copy before. */
  readonly before: Copy
  /** The pages whose fetches brought that. */
  readonly namers: readonly number[]
}

/**
 * Measures what each fetch of a cycle was worth while its pages are replaced in the index: by how much
 * the quality of the answers grew, as far as this page alone is concerned. What other words of links to a page
 * are worth is shared by the pages that have these links.
 *
 * The unit is the one that bids are made in: score × visibility, averaged over the searches of the
 * tracked queries (their shares sum to 1). So a gain of 0.5 means that searchers on average
 * see half a point of score more. All scores and curves of a cycle rest on the index as it was before,
 * which is what the plan knew; pages of one cycle do not compete with each other.
 */
export class GainMeter {
  readonly #index: TextIndex
  readonly #yardstick: Yardstick
  readonly #affected: AffectedQueries
  /** Whether there were no statistics to score pages by when the cycle began. */
  #wasEmpty = false
  #renamings = new Map<number, Renaming>()
  #ownGains = new Map<number, number>()
  #anchorGains = new Map<number, number>()

  constructor(index: TextIndex, yardstick: Yardstick) {
    this.#index = index
    this.#yardstick = yardstick
    this.#affected = new AffectedQueries(index, yardstick.queries, yardstick.scoring)
  }

  /** Begins a cycle; the index is still as the last one left it, and is not compacted until the end. */
  begin(): void {
    this.#affected.freeze()
    this.#yardstick.refresh(this.#affected.totalWeights)
    this.#wasEmpty = this.#index.size === 0
    this.#renamings = new Map()
  }

  /** To be called when the index has taken what these pages call another, and before that page is itself replaced. */
  renamed(url: number, renaming: Renaming): void {
    this.#renamings.set(url, renaming)
    this.before(url)
    this.after(url)
  }

  /** To be called before the index replaces or removes a page. */
  before(url: number): void {
    this.#affected.noteOld(url, this.#renamings.get(url)?.before)
  }

  /** To be called when it has done so, before it turns to another page. */
  after(url: number): void {
    this.#affected.noteNew(url)
  }

  /** Ends a cycle. In an empty index every score is worth itself, so the statistics may be those of afterwards. */
  end(): void {
    if (this.#wasEmpty) this.#affected.freeze()
    const { queries } = this.#yardstick
    const urls = this.#affected.readCopies()
    const gains = new Float64Array(urls.length)
    for (let query = 0; query < queries.length; query++) {
      const changes = this.#affected.compare(query, this.#yardstick.curveOf(query).floor)
      if (changes > 0) this.#addGains(query, changes, urls, gains)
    }
    this.#credit(urls, gains)
  }

  /**
   * All of a page's gains are measured from its copy before the cycle. So of one that was renamed and then replaced,
   * the second is what both gained; the namers' part of it is no more than that.
   *
   * @paper PandeyOlston2005 §7.1 — their future work: scores that depend on the content of other pages.
   */
  #credit(urls: readonly number[], gains: Float64Array): void {
    const byRenaming = new Map<number, number>()
    this.#ownGains = new Map()
    this.#anchorGains = new Map()
    for (let visit = 0; visit < urls.length; visit++) {
      const url = urls[visit]
      if (this.#renamings.has(url) && !byRenaming.has(url)) byRenaming.set(url, gains[visit])
      else if (gains[visit] !== 0 || byRenaming.has(url)) this.#ownGains.set(url, gains[visit])
    }
    for (const [url, gain] of byRenaming) {
      const own = this.#ownGains.get(url)
      const shared = Math.min(gain, own ?? gain)
      if (own !== undefined) this.#ownGains.set(url, own - shared)
      const { namers } = this.#renamings.get(url)!
      for (const namer of namers)
        this.#anchorGains.set(namer, (this.#anchorGains.get(namer) ?? 0) + shared / namers.length)
    }
  }

  /** What a fetch of the latest cycle was worth: 0 if it changed nothing that is shown. */
  gainOf(url: number): number {
    return (this.#ownGains.get(url) ?? 0) + this.anchorGainOf(url)
  }

  /** What of it other pages gained, as its links call them by other words. */
  anchorGainOf(url: number): number {
    return this.#anchorGains.get(url) ?? 0
  }

  /** Adds to the gains of visits what the first so many changes did for a query; all are measured by one curve. */
  #addGains(query: number, count: number, urls: readonly number[], gains: Float64Array): void {
    const { visits, oldScores, newScores } = this.#affected
    const yardstick = this.#yardstick
    const share = yardstick.shares[query]
    const curve = yardstick.curveOf(query)
    for (let i = 0; i < count; i++) {
      const visit = visits[i]
      gains[visit] += share * curve.gainOfResult(oldScores[i], newScores[i], urls[visit])
    }
    if (yardstick.follow === undefined) return
    for (let i = 0; i < count; i++)
      yardstick.follow(query, urls[visits[i]], oldScores[i], newScores[i])
  }
}
