import { NOBODY } from '#frontier/urls/url-states.ts'
import { GrowingColumn } from '#numeric/grow.ts'
import type { Random } from '#numeric/random.ts'
import { gammaDraw } from './gamma-draw.ts'
import { GroupRates } from './group-rates.ts'
import { SharedLinks } from './shared-links.ts'
import type { YieldExpectations } from './yield-facts.ts'

/** What a fetch of a known page brought. */
interface Revisit {
  readonly page: number
  /** In days. */
  readonly time: number
  /** Pages nobody had led to before this fetch did. */
  readonly novel: number
  /** Pages it links to that others led to since its last visit: by how many, for each of these others. */
  readonly foundBefore: ReadonlyMap<number, number>
}

interface YieldOptions {
  /** Draws rates from what is likely (Thompson sampling) instead of taking their means. */
  readonly random?: Random
}

/**
 * Shape of the gamma distribution that rates are drawn from. Most pages lead to nothing new for years
 * and a few do so weekly; so small a shape says just that, and believes a hub after a visit or two.
 */
const PRIOR_SHAPE = 0.02
/** Days added to those watched, so that one short gap makes no high rate of what others led to before. */
const WATCHED_LEAST_DAYS = 14
/** After so many days a visit counts half: hubs fade slowly, as plain means over half a year do well. */
const HALF_LIFE_DAYS = 180
/** Draws of very small rates come out as 0; so much more than that keeps older visits first. */
const LEAST_RATE = 1e-100

/** What is kept of a page, one number after another: a visit touches one place of memory, not eight. */
const [LAST_VISIT, REVISITS, DAYS, NOVEL, FOUND_BEFORE, RIVAL, RIVAL_VOTES, SET, FIELDS] = [
  0, 1, 2, 3, 4, 5, 6, 7, 8,
]

/**
 * What each known page has led to, and how many new pages a revisit is expected to lead to. It learns
 * from whatever is fetched, and needs no full recrawl.
 *
 * Two rates are kept for a page: of new pages that it was the first to lead to, and of those that
 * another page, its rival, led to before. The second counts for the time since the rival was last
 * visited only, so a page that shows what a sibling shows is not worth a fetch just after it; and as far as
 * such links came, as there may be more who show them.
 *
 * DAYS watched and counts fade by half every HALF_LIFE_DAYS. SET is 1 + the number of a page's set of
 * groups, and 0 for a page that is not held. Row 0 is all zeros: it stands for pages never fetched.
 */
export class YieldBook {
  readonly #cohortRates = new GroupRates()
  readonly #random: Random | undefined
  readonly #shared = new SharedLinks()
  /** By page: its row. */
  readonly #rowOf = new GrowingColumn(Uint32Array)
  #rowCount = 1
  #rows = new Float64Array(16 * FIELDS)

  constructor({ random }: YieldOptions = {}) {
    this.#random = random
  }

  /**
   * A page was fetched for the first time, on this day. Its groups, the widest first, say which pages
   * are its cohorts: those of its site, of its depth there, of its URL pattern …
   */
  add(page: number, time: number, groups: Uint32Array): void {
    this.#begin(page)
    const row = this.#at(page)
    this.#rows[row + SET] = this.#cohortRates.setOf(groups) + 1
    this.#rows[row + LAST_VISIT] = time
  }

  /** A page is gone and will lead nowhere. */
  remove(page: number): void {
    this.#rows[this.#at(page) + SET] = 0
  }

  /** Whether the page was fetched and is not gone. */
  holds(page: number): boolean {
    return this.#rows[this.#at(page) + SET] > 0
  }

  /** The day of the last visit to a page. */
  lastVisitOf(page: number): number {
    return this.#rows[this.#at(page) + LAST_VISIT]
  }

  /** How often a page was fetched again. */
  revisitsOf(page: number): number {
    return this.#rows[this.#at(page) + REVISITS]
  }

  /** A page was fetched again. */
  record({ page, time, novel, foundBefore }: Revisit): void {
    if (!this.holds(page)) throw new Error(`page ${page} was never fetched before`)
    const rows = this.#rows
    const row = this.#at(page)
    const days = Math.max(0, time - rows[row + LAST_VISIT])
    if (rows[row + REVISITS] === 0) this.#cohortRates.record(rows[row + SET] - 1, novel, days)
    this.#judgeShared(row, time, novel)
    const kept = 0.5 ** (days / HALF_LIFE_DAYS)
    let before = 0
    for (const [finder, count] of foundBefore) {
      before += count
      this.#vote(row, finder, count)
    }
    rows[row + REVISITS]++
    rows[row + LAST_VISIT] = time
    rows[row + DAYS] = rows[row + DAYS] * kept + days
    rows[row + NOVEL] = rows[row + NOVEL] * kept + novel
    rows[row + FOUND_BEFORE] = rows[row + FOUND_BEFORE] * kept + before
  }

  /** The pages held, ascending. */
  pages(): Uint32Array {
    return Uint32Array.from({ length: this.#rowOf.length }, (_, page) => page).filter((page) =>
      this.holds(page),
    )
  }

  /** What revisits of these pages would lead to now, each by itself; nothing of those not held. */
  expectations(time: number, pages: Uint32Array): YieldExpectations {
    const [own, shared] = [0, 1].map(() => new Float64Array(pages.length))
    const [ownDays, sharedDays] = [0, 1].map(() => new Float32Array(pages.length))
    const rivals = new Int32Array(pages.length).fill(NOBODY)
    const [isUntried, isInMenus] = [0, 1].map(() => new Uint8Array(pages.length))
    const priorOf = this.#cohortRates.ratesNow()
    for (let i = 0; i < pages.length; i++) {
      const row = this.#at(pages[i])
      const set = this.#rows[row + SET] - 1
      if (set < 0) continue
      ownDays[i] = Math.max(0, time - this.#rows[row + LAST_VISIT])
      isUntried[i] = this.#rows[row + REVISITS] === 0 ? 1 : 0
      if (isUntried[i]) isInMenus[i] = this.#cohortRates.isOfMenus(set) ? 1 : 0
      own[i] = this.#novelPerDay(row, priorOf) * ownDays[i]
      rivals[i] = this.#rows[row + RIVAL]
      sharedDays[i] = Math.max(0, this.#sinceRival(row, time))
      shared[i] = this.#sharedPerDay(row) * sharedDays[i]
    }
    return { pages, own, ownDays, shared, sharedDays, rivals, isUntried, isInMenus }
  }

  #novelPerDay(row: number, priorOf: (set: number) => number): number {
    const { shape, rate } = this.#likely(row, priorOf)
    return this.#random ? Math.max(LEAST_RATE, gammaDraw(this.#random, shape, rate)) : shape / rate
  }

  /** The gamma prior of the rate of a page. */
  #likely(row: number, priorOf: (set: number) => number): { shape: number; rate: number } {
    return {
      shape: PRIOR_SHAPE + this.#rows[row + NOVEL],
      rate: PRIOR_SHAPE / priorOf(this.#rows[row + SET] - 1) + this.#rows[row + DAYS],
    }
  }

  /** New pages that others show too, as far as these leave any. */
  #sharedPerDay(row: number): number {
    return this.#shared.share * this.#foundBeforePerDay(row)
  }

  /** Whether what a rival shows too was there: whatever came beyond what was expected of the page alone. */
  #judgeShared(row: number, time: number, novel: number): void {
    const expected = this.#foundBeforePerDay(row) * Math.max(0, this.#sinceRival(row, time))
    if (expected === 0) return
    const { shape, rate } = this.#likely(row, (set) => this.#cohortRates.perDay(set))
    const days = Math.max(0, time - this.#rows[row + LAST_VISIT])
    this.#shared.observe(expected, novel - (days * shape) / rate)
  }

  #foundBeforePerDay(row: number): number {
    return this.#rows[row + FOUND_BEFORE] / (WATCHED_LEAST_DAYS + this.#rows[row + DAYS])
  }

  /** Days since the page or its rival was visited, whichever was last. */
  #sinceRival(row: number, time: number): number {
    const lastVisit = this.#rows[row + LAST_VISIT]
    const rival = this.#rows[row + RIVAL]
    return time - (rival === NOBODY ? lastVisit : Math.max(lastVisit, this.lastVisitOf(rival)))
  }

  /** The rival is whoever would win most votes (Boyer and Moore's count keeps one candidate). */
  #vote(row: number, finder: number, votes: number): void {
    const rows = this.#rows
    const own = rows[row + RIVAL_VOTES]
    if (rows[row + RIVAL] === finder) rows[row + RIVAL_VOTES] = own + votes
    else if (own >= votes) rows[row + RIVAL_VOTES] = own - votes
    else {
      rows[row + RIVAL] = finder
      rows[row + RIVAL_VOTES] = votes - own
    }
  }

  /** Where the row of a page begins. */
  #at(page: number): number {
    return page < this.#rowOf.length ? this.#rowOf.view()[page] * FIELDS : 0
  }

  /** Gives a page a row of its own, if it has none yet. */
  #begin(page: number): void {
    this.#rowOf.lengthen(page + 1)
    if (this.#rowOf.at(page) > 0) return
    const row = this.#rowCount++
    if (this.#rowCount * FIELDS > this.#rows.length) {
      const larger = new Float64Array(Math.ceil(this.#rowCount * 1.5) * FIELDS)
      larger.set(this.#rows)
      this.#rows = larger
    }
    this.#rowOf.set(page, row)
    this.#rows[row * FIELDS + RIVAL] = NOBODY
  }
}
