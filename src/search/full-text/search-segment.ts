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

/** The postings of a query's terms in a segment, those of the lowest bound first; read from the front. */
interface TermLists {
  readonly count: number
  /** By list: its next posting, and the one after its last. */
  readonly next: Uint32Array
  readonly end: Uint32Array
  readonly weight: Float64Array
  readonly bound: Float64Array
}

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
  const lists = listsOf(segment, query)
  const { count, next, end, weight } = lists
  const mostPrior = scoring.prior?.most ?? 1
  const bounds = prefixSums(lists.bound)
  const weights = prefixSums(weight)
  /** Whether no page with such a sum and matched weight can get in. */
  const cannotWin = (sum: number, matched: number, threshold: number): boolean => {
    // A bound is summed in another order than a score: the last bits must not decide.
    const bound = mostPrior * sum * (1 + 1e-12)
    if (bound < threshold) return true // the usual case, whatever is covered
    const covered = scoring.coverage(matched / totalWeight) * bound
    return covered <= 0 || covered < threshold
  }
  const skippableBelow = (threshold: number): number => {
    let lists = 0
    while (lists < count && cannotWin(bounds[lists + 1], weights[lists + 1], threshold)) lists++
    return lists
  }

  let threshold = best.threshold
  let skippable = skippableBelow(threshold)
  const parts = new Float64Array(count)
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
    const score = totalScore(urls[place], parts, lists, query)
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
  const lists = listsOf(segment, query)
  const { next, end } = lists
  const parts = lists.weight.map((weight, i) => {
    const posting = seek(places, next[i], end[i], place)
    if (posting >= end[i] || places[posting] !== place) return 0
    return scoring.part(weight, counts[posting], lengths, place * 4, statistics)
  })
  return totalScore(urls[place], parts, lists, query)
}

/** Always summed in the order of the lists, however the parts were found: floats remember the order. */
function totalScore(
  url: number,
  parts: Float64Array,
  { count, weight }: TermLists,
  { scoring, totalWeight }: PreparedQuery,
): number {
  let sum = 0
  let matched = 0
  for (let i = 0; i < count; i++) {
    if (parts[i] === 0) continue
    sum += parts[i]
    matched += weight[i]
  }
  return (scoring.prior?.of(url) ?? 1) * scoring.coverage(matched / totalWeight) * sum
}

function listsOf(segment: Segment, { terms, weights, scoring }: PreparedQuery): TermLists {
  const found = terms
    .map((term, i) => ({ row: rowOfTerm(segment, term) ?? -1, weight: weights[i] }))
    .filter(({ row }) => row >= 0)
    .map((list) => ({ ...list, bound: scoring.bound(list.weight) }))
    .sort((a, b) => a.bound - b.bound)
  return {
    count: found.length,
    next: Uint32Array.from(found, ({ row }) => segment.offsets[row]),
    end: Uint32Array.from(found, ({ row }) => segment.offsets[row + 1]),
    weight: Float64Array.from(found, ({ weight }) => weight),
    bound: Float64Array.from(found, ({ bound }) => bound),
  }
}

/** sums[i] is over the first i amounts. */
function prefixSums(amounts: Float64Array): Float64Array {
  const sums = new Float64Array(amounts.length + 1)
  amounts.forEach((amount, i) => {
    sums[i + 1] = sums[i] + amount
  })
  return sums
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
