import { NOBODY } from '#frontier/url-states.ts'
import { GrowingColumn } from '#numeric/grow.ts'
import type { Random } from '#numeric/random.ts'
import { BoundHeap } from './bound-heap.ts'
import { gammaDraw } from './gamma-draw.ts'
import { GroupSets } from './group-sets.ts'
import { RatePrior } from './rate-prior.ts'

/** What a fetch of a known page brought. */
export interface Revisit {
  readonly page: number
  /** In days. */
  readonly time: number
  /** Pages nobody had led to before this fetch did. */
  readonly novel: number
  /** Pages it links to that others led to since its last visit: by how many, for each of these others. */
  readonly foundBefore: ReadonlyMap<number, number>
}

/** Pages worth a revisit, best first, and how many new pages each is expected to lead to. */
export interface YieldPlan {
  readonly pages: Uint32Array
  readonly expected: Float64Array
}

/** What revisits are expected to lead to; columns by place in `pages`. */
export interface YieldExpectations {
  readonly pages: Uint32Array
  /** New pages that nobody else is expected to lead to before. */
  readonly own: Float64Array
  /** Days since the last visit: these new pages have waited half of it on average. */
  readonly ownDays: Float64Array
  /** New pages that its rival shows too: none are left as soon as the rival is fetched. */
  readonly shared: Float64Array
  /** Days since the page or its rival was visited, whichever was last. */
  readonly sharedDays: Float64Array
  /** The page that led to most of the same before; NOBODY if none did. */
  readonly rivals: Int32Array
}

export interface YieldOptions {
  /** Draws rates from what is likely (Thompson sampling) instead of taking their means. */
  readonly random?: Random
}

/** New pages a day expected of any page before anything is known: about one in three years. */
const FIRST_GUESS_PER_DAY = 0.001
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
/**
 * What each known page has led to, and how many new pages a revisit is expected to lead to. It learns
 * from whatever is fetched, and needs no full recrawl.
 *
 * Two rates are kept for a page: of new pages that it was the first to lead to, and of those that
 * another page, its rival, led to before. The second counts for the time since the rival was last
 * visited only, so a page that shows what a sibling shows is not worth a fetch just after it.
 *
 * Columns by page; visits and counts fade by half every HALF_LIFE_DAYS.
 */
export class YieldBook {
  readonly #sets = new GroupSets()
  /** By page: 1 + the number of its set of groups; 0 for a page that is not held. */
  readonly #setOf = new GrowingColumn(Uint32Array)
  readonly #lastVisit = new GrowingColumn(Float64Array)
  readonly #visits = new GrowingColumn(Uint32Array)
  readonly #days = new GrowingColumn(Float64Array)
  readonly #novel = new GrowingColumn(Float64Array)
  readonly #foundBefore = new GrowingColumn(Float64Array)
  readonly #rival = new GrowingColumn(Int32Array)
  readonly #rivalVotes = new GrowingColumn(Float64Array)
  readonly #prior = new RatePrior(FIRST_GUESS_PER_DAY)
  readonly #random: Random | undefined

  constructor({ random }: YieldOptions = {}) {
    this.#random = random
  }

  /**
   * A page was fetched for the first time, on this day. Its groups, the widest first, say which pages
   * are its likes: those of its site, of its depth there, of its URL pattern …
   */
  add(page: number, time: number, groups: Uint32Array): void {
    while (this.#lastVisit.length <= page) this.#addColumns()
    this.#setOf.set(page, this.#sets.add(groups) + 1)
    this.#lastVisit.set(page, time)
  }

  /** A page that was never revisited has come to have other likes. */
  regroup(page: number, groups: Uint32Array): void {
    if (this.holds(page)) this.#setOf.set(page, this.#sets.add(groups) + 1)
  }

  /** A page is gone and will lead nowhere. */
  remove(page: number): void {
    if (page < this.#setOf.length) this.#setOf.set(page, 0)
  }

  /** Whether the page was fetched and is not gone. */
  holds(page: number): boolean {
    return page < this.#setOf.length && this.#setOf.at(page) > 0
  }

  /** The day of the last visit to a page that is held. */
  lastVisitOf(page: number): number {
    return this.#lastVisit.at(page)
  }

  /** How often a page was fetched again. */
  revisitsOf(page: number): number {
    return page < this.#visits.length ? this.#visits.at(page) : 0
  }

  /** A page was fetched again. */
  record({ page, time, novel, foundBefore }: Revisit): void {
    if (!this.holds(page)) throw new Error(`page ${page} was never fetched before`)
    const days = time - this.#lastVisit.at(page)
    if (this.#visits.at(page) === 0) this.#prior.record(this.#groupsOf(page), novel, days)
    const kept = 0.5 ** (days / HALF_LIFE_DAYS)
    let before = 0
    for (const [finder, count] of foundBefore) {
      before += count
      this.#vote(page, finder, count)
    }
    this.#visits.set(page, this.#visits.at(page) + 1)
    this.#lastVisit.set(page, time)
    this.#days.set(page, this.#days.at(page) * kept + days)
    this.#novel.set(page, this.#novel.at(page) * kept + novel)
    this.#foundBefore.set(page, this.#foundBefore.at(page) * kept + before)
  }

  /**
   * The pages to revisit now, at most so many: always the one expected to lead to most new pages, given
   * those chosen before it.
   *
   * @paper DasguptaEtAl2007 §6 — rates of a Gamma-Poisson model in place of payoff probabilities.
   */
  plan(time: number, most: number): YieldPlan {
    const known: number[] = []
    for (const [page, set] of this.#setOf.view().entries()) if (set > 0) known.push(page)
    const priorOf = this.#priors()
    const rates = Float64Array.from(known, (page) => this.#novelPerDay(page, priorOf))
    const isChosen = new Uint8Array(this.#lastVisit.length)
    const expectedOf = (i: number): number => {
      const page = known[i]
      const days = time - this.#lastVisit.at(page)
      return (
        rates[i] * days + this.#foundBeforePerDay(page) * this.#sinceRival(page, time, isChosen)
      )
    }
    const heap = new BoundHeap(Float64Array.from(known, (_, i) => expectedOf(i)))
    const pages: number[] = []
    const expected: number[] = []
    while (pages.length < most && heap.bound >= 0) {
      const i = heap.top
      const value = expectedOf(i)
      if (value < heap.bound) {
        heap.lower(value)
        continue
      }
      isChosen[known[i]] = 1
      pages.push(known[i])
      expected.push(value)
      heap.lower(-1)
    }
    return { pages: Uint32Array.from(pages), expected: Float64Array.from(expected) }
  }

  /** What revisits of these pages would lead to now, each by itself; nothing of those not held. */
  expectations(time: number, pages: Uint32Array): YieldExpectations {
    const columns = Array.from({ length: 4 }, () => new Float64Array(pages.length))
    const [own, ownDays, shared, sharedDays] = columns
    const rivals = new Int32Array(pages.length).fill(NOBODY)
    const priorOf = this.#priors()
    for (let i = 0; i < pages.length; i++) {
      const page = pages[i]
      if (!this.holds(page)) continue
      ownDays[i] = Math.max(0, time - this.#lastVisit.at(page))
      own[i] = this.#novelPerDay(page, priorOf) * ownDays[i]
      rivals[i] = this.#rival.at(page)
      sharedDays[i] = Math.max(0, this.#sinceRival(page, time))
      shared[i] = this.#foundBeforePerDay(page) * sharedDays[i]
    }
    return { pages, own, ownDays, shared, sharedDays, rivals }
  }

  #groupsOf(page: number): Uint32Array {
    return this.#sets.at(this.#setOf.at(page) - 1)
  }

  /** By set of groups: what is expected of a page never revisited; each is worked out once. */
  #priors(): (set: number) => number {
    const perDay = new Float64Array(this.#sets.size)
    return (set) => {
      if (perDay[set] === 0) perDay[set] = this.#prior.perDay(this.#sets.at(set))
      return perDay[set]
    }
  }

  #novelPerDay(page: number, priorOf: (set: number) => number): number {
    const shape = PRIOR_SHAPE + this.#novel.at(page)
    const rate = PRIOR_SHAPE / priorOf(this.#setOf.at(page) - 1) + this.#days.at(page)
    return this.#random ? Math.max(LEAST_RATE, gammaDraw(this.#random, shape, rate)) : shape / rate
  }

  #foundBeforePerDay(page: number): number {
    return this.#foundBefore.at(page) / (WATCHED_LEAST_DAYS + this.#days.at(page))
  }

  /** Days since the page or its rival was visited, whichever was last; 0 if the rival has been chosen. */
  #sinceRival(page: number, time: number, isChosen?: Uint8Array): number {
    const rival = this.#rival.at(page)
    if (rival !== NOBODY && isChosen?.[rival]) return 0
    const lastVisit = this.#lastVisit.at(page)
    const isKnown = rival !== NOBODY && rival < this.#lastVisit.length
    return time - (isKnown ? Math.max(lastVisit, this.#lastVisit.at(rival)) : lastVisit)
  }

  /** The rival is whoever would win most votes (Boyer and Moore's count keeps one candidate). */
  #vote(page: number, finder: number, votes: number): void {
    const own = this.#rivalVotes.at(page)
    if (this.#rival.at(page) === finder) this.#rivalVotes.set(page, own + votes)
    else if (own >= votes) this.#rivalVotes.set(page, own - votes)
    else {
      this.#rival.set(page, finder)
      this.#rivalVotes.set(page, votes - own)
    }
  }

  #addColumns(): void {
    this.#setOf.push(0)
    this.#lastVisit.push(0)
    this.#visits.push(0)
    this.#days.push(0)
    this.#novel.push(0)
    this.#foundBefore.push(0)
    this.#rival.push(NOBODY)
    this.#rivalVotes.push(0)
  }
}
