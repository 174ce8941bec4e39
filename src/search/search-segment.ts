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

/** One term's postings in a segment, read from the front. */
interface TermList {
  at: number
  readonly end: number
  readonly weight: number
  readonly bound: number
}

/**
 * Offers a segment's answers to `best`, skipping pages that cannot get in. Lists are in the order of
 * their bounds; a page that has only terms of the first `skippable` lists cannot reach the threshold,
 * so pages are looked for in the others and completed from these (MaxScore). Exact: whatever is
 * skipped would have been refused.
 *
 * @paper TurtleFlood1995 §3 — with bounds that also know how much of the query is covered.
 */
export function searchSegment(
  segment: Segment,
  alive: Uint8Array,
  query: PreparedQuery,
  best: BestResults,
): void {
  const { places, counts, lengths, urls } = segment
  const { scoring, statistics, totalWeight } = query
  const lists = listsOf(segment, query)
  const mostPrior = scoring.prior?.most ?? 1
  const bounds = prefixSums(lists, ({ bound }) => bound)
  const weights = prefixSums(lists, ({ weight }) => weight)
  /** The most that a sum and a matched weight can come to. */
  const atMost = (sum: number, weight: number): number =>
    mostPrior * scoring.coverage(weight / totalWeight) * sum
  // A bound is summed in another order than a score: the last bits must not decide.
  const cannotWin = (bound: number): boolean => bound <= 0 || bound * (1 + 1e-12) < best.threshold

  const parts = new Float64Array(lists.length)
  let skippable = 0
  for (;;) {
    while (
      skippable < lists.length &&
      cannotWin(atMost(bounds[skippable + 1], weights[skippable + 1]))
    )
      skippable++
    const place = nextPlace(lists, skippable, places)
    if (place === Number.POSITIVE_INFINITY) return
    let sum = 0
    let matched = 0
    const take = (i: number): void => {
      const list = lists[i]
      parts[i] = scoring.part(list.weight, counts[list.at], lengths, place * 4, statistics)
      sum += parts[i]
      matched += list.weight
    }
    parts.fill(0)
    for (let i = skippable; i < lists.length; i++) {
      if (lists[i].at >= lists[i].end || places[lists[i].at] !== place) continue
      take(i)
      lists[i].at++
    }
    if (alive[place] === 0) continue
    let hopeless = false
    for (let i = skippable - 1; i >= 0 && !hopeless; i--) {
      const list = lists[i]
      hopeless = cannotWin(atMost(sum + bounds[i + 1], matched + weights[i + 1]))
      if (hopeless) continue
      list.at = seek(places, list.at, list.end, place)
      if (list.at < list.end && places[list.at] === place) take(i)
    }
    if (hopeless) continue
    const score = totalScore(urls[place], parts, lists, query)
    if (score > 0 && score >= best.threshold) best.offer(urls[place], score)
  }
}

/** One page's score, the same to the last bit as a search gives it. */
export function scorePage(segment: Segment, place: number, query: PreparedQuery): number {
  const { places, counts, lengths, urls } = segment
  const { scoring, statistics } = query
  const lists = listsOf(segment, query)
  const parts = Float64Array.from(lists, ({ at, end, weight }) => {
    const posting = seek(places, at, end, place)
    if (posting >= end || places[posting] !== place) return 0
    return scoring.part(weight, counts[posting], lengths, place * 4, statistics)
  })
  return totalScore(urls[place], parts, lists, query)
}

/** Always summed in the order of the lists, however the parts were found: floats remember the order. */
function totalScore(
  url: number,
  parts: Float64Array,
  lists: readonly TermList[],
  { scoring, totalWeight }: PreparedQuery,
): number {
  let sum = 0
  let matched = 0
  for (let i = 0; i < lists.length; i++) {
    if (parts[i] === 0) continue
    sum += parts[i]
    matched += lists[i].weight
  }
  return (scoring.prior?.of(url) ?? 1) * scoring.coverage(matched / totalWeight) * sum
}

function listsOf(segment: Segment, { terms, weights, scoring }: PreparedQuery): TermList[] {
  const lists: TermList[] = []
  terms.forEach((term, i) => {
    const row = rowOfTerm(segment, term)
    if (row === undefined) return
    const [at, end] = [segment.offsets[row], segment.offsets[row + 1]]
    lists.push({ at, end, weight: weights[i], bound: scoring.bound(weights[i]) })
  })
  return lists.sort((a, b) => a.bound - b.bound)
}

/** sums[i] is over the first i lists. */
function prefixSums(lists: readonly TermList[], amountOf: (list: TermList) => number): number[] {
  const sums = [0]
  for (const list of lists) sums.push(sums[sums.length - 1] + amountOf(list))
  return sums
}

/** The first page that any list from `first` on has next. */
function nextPlace(lists: readonly TermList[], first: number, places: Uint32Array): number {
  let next = Number.POSITIVE_INFINITY
  for (let i = first; i < lists.length; i++) {
    const { at, end } = lists[i]
    if (at < end && places[at] < next) next = places[at]
  }
  return next
}
