import { type AnswerScores, forEachScore } from './answer-scores.ts'
import { columnsAt, copyOf, type HeldColumns, visibilities } from './held-columns.ts'
import { NOTHING, type WeeklyPages } from './weekly-pages.ts'

interface HeldOptions {
  /** False for pages of which no copy is held, where the content NOTHING stands for that; all are if left out. */
  readonly isHeld?: (page: number) => boolean
  /** By query: the shares that what searchers get is judged by, where the crawler knows others. */
  readonly judging?: Float64Array
}

/**
 * What searchers get from copies while pages change and copies are refreshed, kept up to date event by event.
 * The answers of query q in the order searchers see them are order[slotOffsets[q] .. slotOffsets[q] + lengths[q]);
 * places[slot] is a slot's rank from 0, or -1 if the copy is no answer.
 */
export class HeldAnswers {
  readonly #answers: AnswerScores
  readonly #judging: Float64Array
  readonly #columns: HeldColumns
  readonly #order: Uint32Array
  readonly #places: Int32Array
  readonly #lengths: Uint32Array
  readonly #stored: Float64Array
  readonly #live: Float64Array
  readonly #storedContents: Uint32Array
  readonly #liveContents: Uint32Array
  readonly #clicks: Float64Array
  readonly #visibility: Float64Array
  #earned = 0
  #freed = 0

  private constructor(
    answers: AnswerScores,
    judging: Float64Array,
    columns: HeldColumns,
    earned: number,
  ) {
    this.#answers = answers
    this.#judging = judging
    this.#columns = columns
    this.#earned = earned
    this.#order = columns.order
    this.#places = columns.places
    this.#lengths = columns.lengths
    this.#stored = columns.stored
    this.#live = columns.live
    this.#storedContents = columns.storedContents
    this.#liveContents = columns.liveContents
    this.#clicks = columns.clicks
    this.#visibility = visibilities(answers.slotOffsets)
  }

  /** All copies are as the pages are in this week. */
  static at(
    pages: WeeklyPages,
    answers: AnswerScores,
    week: number,
    { isHeld = () => true, judging = answers.shares }: HeldOptions = {},
  ): HeldAnswers {
    const columns = columnsAt(pages, answers, week, isHeld)
    const held = new HeldAnswers(answers, judging, columns, 0)
    for (let query = 0; query < answers.shares.length; query++) held.#rankAll(query)
    return held
  }

  /** The same, with a fate of its own. */
  copy(): HeldAnswers {
    const columns = copyOf(this.#columns)
    return new HeldAnswers(this.#answers, this.#judging, columns, this.#earned)
  }

  /** Σ over queries of what their searchers see: rank by the copies, worth by the live pages. */
  get earned(): number {
    return this.#earned
  }

  /** By page: how often searchers see its copy, Σ f · I(rank). */
  get clicks(): Float64Array {
    return this.#clicks
  }

  /** True if there is a copy of the page. */
  isHeld(page: number): boolean {
    return this.#storedContents[page] !== NOTHING
  }

  /** True if the copy is not what the page says now. */
  isStale(page: number): boolean {
    return this.#storedContents[page] !== this.#liveContents[page]
  }

  /** The page says something else now. */
  change(page: number, content: number): void {
    const { slotQueries } = this.#answers
    forEachScore(this.#answers, this.#liveContents[page], content, (slot, _before, now) => {
      const place = this.#places[slot]
      if (place >= 0)
        this.#earned +=
          this.#judging[slotQueries[slot]] * this.#visibility[place] * (now - this.#live[slot])
      this.#live[slot] = now
    })
    this.#liveContents[page] = content
  }

  /**
   * The copy becomes what the page says now. Gives the quality gained as far as a crawler can know it: by
   * the copies of the others.
   */
  refresh(page: number): number {
    const content = this.#liveContents[page]
    let gain = 0
    forEachScore(this.#answers, this.#storedContents[page], content, (slot, before, now) => {
      if (before !== now) gain += this.#move(slot, now)
    })
    this.#storedContents[page] = content
    return gain
  }

  /** How much quality refreshing this page would add now, in truth: by those who judge, and the live scores of all. */
  trueGain(page: number): number {
    return this.#gainOfRefresh(page, this.#judging, this.#live)
  }

  /** What `refresh` would give, with nothing moved. */
  measuredGain(page: number): number {
    return this.#gainOfRefresh(page, this.#answers.shares, this.#stored)
  }

  #gainOfRefresh(page: number, shares: Float64Array, scores: Float64Array): number {
    let gain = 0
    forEachScore(
      this.#answers,
      this.#storedContents[page],
      this.#liveContents[page],
      (slot, before, now) => {
        if (before !== now) gain += this.#gainOfMove(slot, now, shares, scores)
      },
    )
    return gain
  }

  #rankAll(query: number): void {
    const { slotOffsets, slotPages, shares } = this.#answers
    const start = slotOffsets[query]
    const stored = this.#stored
    const order = Uint32Array.from({ length: slotOffsets[query + 1] - start }, (_, i) => start + i)
      .filter((slot) => stored[slot] > 0)
      .sort((a, b) => stored[b] - stored[a] || a - b)
    this.#order.set(order, start)
    this.#lengths[query] = order.length
    order.forEach((slot, place) => {
      this.#places[slot] = place
      this.#clicks[slotPages[slot]] += shares[query] * this.#visibility[place]
      this.#earned += this.#judging[query] * this.#visibility[place] * this.#live[slot]
    })
  }

  #comesBefore(slot: number, score: number, other: number): boolean {
    const otherScore = this.#stored[other]
    return score > otherScore || (score === otherScore && slot < other)
  }

  /** Gives a copy another score and moves it to its place, those it passes by one; gives the measured gain. */
  #move(slot: number, score: number): number {
    const { slotQueries, slotOffsets, slotPages, shares } = this.#answers
    const query = slotQueries[slot]
    const share = shares[query]
    const start = slotOffsets[query]
    const wasAnswer = this.#places[slot] >= 0
    const from = wasAnswer ? this.#places[slot] : this.#lengths[query]++
    const gainOfOthers = share * this.#makeWay(slot, score, start, from, this.#lengths[query] - 1)
    const place = this.#freed
    if (score > 0) {
      this.#order[start + place] = slot
      this.#places[slot] = place
    } else {
      this.#places[slot] = -1
      this.#lengths[query]--
    }
    const seenBefore = wasAnswer ? this.#visibility[from] : 0
    const change = (score > 0 ? this.#visibility[place] : 0) - seenBefore
    this.#earned += this.#judging[query] * change * this.#live[slot]
    this.#clicks[slotPages[slot]] += share * change
    this.#stored[slot] = score
    return gainOfOthers + share * change * score
  }

  /**
   * Moves those that a copy passes on its way from a place, and leaves in `#freed` the place that is its now.
   * Gives what their move gains by their stored scores, without the query's share.
   */
  #makeWay(slot: number, score: number, start: number, from: number, last: number): number {
    const { slotPages, slotQueries, shares } = this.#answers
    const query = slotQueries[slot]
    const share = shares[query]
    const [order, places, visibility] = [this.#order, this.#places, this.#visibility]
    const [stored, live, clicks] = [this.#stored, this.#live, this.#clicks]
    let place = from
    let gain = 0
    let earned = 0
    const isUp = from > 0 && this.#comesBefore(slot, score, order[start + from - 1])
    const step = isUp ? -1 : 1
    while (isUp ? place > 0 : place < last) {
      const other = order[start + place + step]
      if (this.#comesBefore(slot, score, other) !== isUp) break
      const change = visibility[place] - visibility[place + step]
      gain += change * stored[other]
      earned += change * live[other]
      clicks[slotPages[other]] += share * change
      order[start + place] = other
      places[other] = place
      place += step
    }
    this.#earned += this.#judging[query] * earned
    this.#freed = place
    return gain
  }

  /** The same without moving anything, by these shares of queries and scores of the others. */
  #gainOfMove(slot: number, score: number, shares: Float64Array, scores: Float64Array): number {
    const { slotQueries, slotOffsets } = this.#answers
    const query = slotQueries[slot]
    if (shares[query] === 0) return 0
    const start = slotOffsets[query]
    const [order, visibility] = [this.#order, this.#visibility]
    const wasAnswer = this.#places[slot] >= 0
    const length = this.#lengths[query] + (wasAnswer ? 0 : 1)
    let place = wasAnswer ? this.#places[slot] : length - 1
    const seenBefore = wasAnswer ? visibility[place] : 0
    const from = place
    let gain = 0
    while (place > 0 && this.#comesBefore(slot, score, order[start + place - 1])) {
      gain += (visibility[place] - visibility[place - 1]) * scores[order[start + place - 1]]
      place--
    }
    // Having gone up it cannot go down; the list is still as it was.
    while (
      place >= from &&
      place < length - 1 &&
      !this.#comesBefore(slot, score, order[start + place + 1])
    ) {
      gain += (visibility[place] - visibility[place + 1]) * scores[order[start + place + 1]]
      place++
    }
    const seen = score > 0 ? visibility[place] : 0
    return shares[query] * (gain + (seen - seenBefore) * score)
  }
}
