import type { BestResults } from './best-results.ts'
import type { CorpusStatistics, Scoring } from './scoring.ts'
import { rowOfTerm, type Segment, seek } from './segment.ts'

/** A query ready to be asked: its terms that the corpus has, and what each counts. */
export interface PreparedQuery {
  readonly terms: readonly number[]
  readonly weights: readonly number[]
  /** Of all its terms, those that no page has included. */
  readonly totalWeight: number
  readonly scoring: Scoring
  readonly statistics: CorpusStatistics
}

/**
 * The postings of a query's terms in a segment, those of the lowest bound first; read from the front. One search after
 * another takes the same room: thousands of them are made in a plan.
 */
class TermLists {
  count = 0
  /** By list: its next posting, and the one after its last. */
  next = new Uint32Array(0)
  end = new Uint32Array(0)
  weight = new Float64Array(0)
  /** By list: what the page at hand earns by it. */
  parts = new Float64Array(0)
  /** By number of lists: what nobody earns more than by the first so many, and what these weigh. */
  bounds = new Float64Array(1)
  weights = new Float64Array(1)

  /** Those of another query or segment. */
  take(segment: Segment, { terms, weights, scoring }: PreparedQuery): void {
    if (terms.length > this.next.length) this.#makeRoom(terms.length)
    const { next, end, weight } = this
    let count = 0
    for (let i = 0; i < terms.length; i++) {
      const row = rowOfTerm(segment, terms[i])
      if (row === undefined) continue
      let at = count++
      for (; at > 0 && scoring.bound(weight[at - 1]) > scoring.bound(weights[i]); at--) {
        next[at] = next[at - 1]
        end[at] = end[at - 1]
        weight[at] = weight[at - 1]
      }
      next[at] = segment.offsets[row]
      end[at] = segment.offsets[row + 1]
      weight[at] = weights[i]
    }
    this.count = count
    for (let i = 0; i < count; i++) {
      this.bounds[i + 1] = this.bounds[i] + scoring.bound(weight[i])
      this.weights[i + 1] = this.weights[i] + weight[i]
    }
  }

  #makeRoom(count: number): void {
    this.next = new Uint32Array(count)
    this.end = new Uint32Array(count)
    this.weight = new Float64Array(count)
    this.parts = new Float64Array(count)
    this.bounds = new Float64Array(count + 1)
    this.weights = new Float64Array(count + 1)
  }
}

const lists = new TermLists()
const NOWHERE = 0xffffffff

/**
 * Offers a segment's answers to `best`, skipping pages that cannot get in (MaxScore). Lists are
 * in the order of their bounds. A page that has only terms of the first `skippable` lists cannot
 * reach the threshold. So pages are looked for in the other lists, and completed from these.
 * Exact: whatever is skipped would have been refused.
 *
 * @paper TurtleFlood1995 — with bounds that also know how much of the query is covered.
 */
export function searchSegment(
  segment: Segment,
  alive: Uint8Array,
  query: PreparedQuery,
  best: BestResults,
): void {
  const { places, counts, lengths, urls } = segment
  const { scoring, statistics, totalWeight } = query
  lists.take(segment, query)
  const { count, next, end, weight, bounds, weights, parts } = lists
  const mostPrior = scoring.prior?.most ?? 1
  /** Whether no page with such a sum and matched weight can get in. */
  const cannotWin = (sum: number, matched: number, threshold: number): boolean => {
    // A bound is summed in another order than a score: the last bits must not decide.
    const bound = mostPrior * sum * (1 + 1e-12)
    if (bound < threshold) return true // the usual case, whatever is covered
    const covered = scoring.coverage(matched / totalWeight) * bound
    return covered <= 0 || covered < threshold
  }
  const skippableBelow = (threshold: number): number => {
    let first = 0
    while (first < count && cannotWin(bounds[first + 1], weights[first + 1], threshold)) first++
    return first
  }

  let threshold = best.threshold
  let skippable = skippableBelow(threshold)
  for (;;) {
    const place = nextPlace(lists, skippable, places)
    if (place === NOWHERE) return
    if (alive[place] === 0) {
      passBy(lists, skippable, places, place)
      continue
    }
    let sum = 0
    let matched = 0
    for (let i = skippable; i < count; i++) {
      parts[i] = 0
      const posting = next[i]
      if (posting === end[i] || places[posting] !== place) continue
      next[i] = posting + 1
      parts[i] = scoring.part(weight[i], counts[posting], lengths, place * 4, statistics)
      sum += parts[i]
      matched += weight[i]
    }
    let left = skippable
    while (left > 0 && !cannotWin(sum + bounds[left], matched + weights[left], threshold)) {
      left--
      parts[left] = 0
      const posting = seek(places, next[left], end[left], place)
      next[left] = posting
      if (posting === end[left] || places[posting] !== place) continue
      parts[left] = scoring.part(weight[left], counts[posting], lengths, place * 4, statistics)
      sum += parts[left]
      matched += weight[left]
    }
    if (left > 0 || cannotWin(sum, matched, threshold)) continue
    const score = totalScore(urls[place], query)
    if (score <= 0 || score < threshold) continue
    best.offer(urls[place], score)
    threshold = best.threshold
    skippable = skippableBelow(threshold)
  }
}

/** One page's score, the same to the last bit as a search gives it. */
export function scorePage(segment: Segment, place: number, query: PreparedQuery): number {
  const { places, counts, lengths, urls } = segment
  const { scoring, statistics } = query
  lists.take(segment, query)
  const { count, next, end, weight, parts } = lists
  for (let i = 0; i < count; i++) {
    const posting = seek(places, next[i], end[i], place)
    parts[i] =
      posting >= end[i] || places[posting] !== place
        ? 0
        : scoring.part(weight[i], counts[posting], lengths, place * 4, statistics)
  }
  return totalScore(urls[place], query)
}

/** Always summed in the order of the lists, however the parts were found: floats remember the order. */
function totalScore(url: number, { scoring, totalWeight }: PreparedQuery): number {
  const { count, weight, parts } = lists
  let sum = 0
  let matched = 0
  for (let i = 0; i < count; i++) {
    if (parts[i] === 0) continue
    sum += parts[i]
    matched += weight[i]
  }
  return (scoring.prior?.of(url) ?? 1) * scoring.coverage(matched / totalWeight) * sum
}

/** The first page that any list from `first` on has next. */
function nextPlace({ count, next, end }: TermLists, first: number, places: Uint32Array): number {
  let nearest = NOWHERE
  for (let i = first; i < count; i++)
    if (next[i] < end[i] && places[next[i]] < nearest) nearest = places[next[i]]
  return nearest
}

/** Leaves a page behind in all lists from `first` on: copies that were replaced are many, and scoring is dear. */
function passBy(
  { count, next, end }: TermLists,
  first: number,
  places: Uint32Array,
  place: number,
) {
  for (let i = first; i < count; i++) if (next[i] < end[i] && places[next[i]] === place) next[i]++
}
