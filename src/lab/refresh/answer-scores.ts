import type { ContentTerms, TermQueries } from './content-terms.ts'
import type { WeeklyPages } from './weekly-pages.ts'

/**
 * The scores of every content for every query it answers, conjunctively. A slot is a page that answers a query
 * at some time; slots of query q are slotOffsets[q] .. slotOffsets[q + 1], their pages rising. Row c of a content:
 * slots[offsets[c] .. offsets[c + 1]), rising, with its scores.
 */
export interface AnswerScores {
  readonly shares: Float64Array
  readonly slotOffsets: Uint32Array
  readonly slotPages: Uint32Array
  readonly slotQueries: Uint32Array
  readonly offsets: Uint32Array
  readonly slots: Uint32Array
  readonly scores: Float64Array
}

/** How a content that has every word of a query scores: what its terms earn, times a factor of its page. */
interface ContentScoring {
  /** What one term earns; without it, having them all earns 1. */
  readonly part?: (term: number, count: number, length: number) => number
  /** 1 if left out. */
  readonly pageFactor?: (page: number) => number
}

/** How many pages have each term in the first week. */
export function firstWeekPages(pages: WeeklyPages, rows: ContentTerms, terms: number): Uint32Array {
  const pagesWith = new Uint32Array(terms)
  for (let page = 0; page < pages.archivePages.length; page++) {
    const content = pages.contents[page * pages.weeks]
    for (let at = rows.offsets[content]; at < rows.offsets[content + 1]; at++)
      pagesWith[rows.terms[at]]++
  }
  return pagesWith
}

/** By term: idf², where so many of all pages have each. */
export function tfIdfWeights(pagesWith: Uint32Array, pageCount: number): Float64Array {
  return Float64Array.from(pagesWith, (count) => (1 + Math.log(pageCount / (count + 1))) ** 2)
}

/**
 * TF-IDF as Lucene had it in 2005, Σ √tf · idf² / √length, by the weights of terms.
 *
 * @paper PandeyOlston2005 §6.1.3 — idf never changes, so that a score depends on its page alone.
 */
export function tfIdfScoring(weights: Float64Array): ContentScoring {
  return {
    part: (term, count, length) => weights[term] * Math.sqrt(count / length),
  }
}

/**
 * The number of pages that link to a page, if it has every word.
 *
 * @paper PandeyOlston2005 §6.1.3 — as counted in the first week.
 */
export function inLinkScoring(inLinks: ArrayLike<number>): ContentScoring {
  return { pageFactor: (page) => inLinks[page] }
}

/** The scores of all contents for all queries. */
export function answerScores(
  pages: WeeklyPages,
  rows: ContentTerms,
  queries: TermQueries,
  scoring: ContentScoring,
  pagesWith: Uint32Array,
): AnswerScores {
  const keyed = queriesByRarestTerm(queries, pagesWith)
  const countOf = new Uint32Array(queries.termCount)
  const found = { queries: [] as number[], scores: [] as number[] }
  const rowStarts = new Uint32Array(pages.versions.length + 1)
  const pageOfContent = new Uint32Array(pages.versions.length)
  for (let place = 0; place < pages.contents.length; place++)
    pageOfContent[pages.contents[place]] = Math.floor(place / pages.weeks)
  for (let content = 0; content < pages.versions.length; content++) {
    const [start, end] = [rows.offsets[content], rows.offsets[content + 1]]
    for (let at = start; at < end; at++) countOf[rows.terms[at]] = rows.counts[at]
    const factor = scoring.pageFactor?.(pageOfContent[content]) ?? 1
    for (let at = start; at < end && factor > 0; at++) {
      for (const query of keyed[rows.terms[at]] ?? []) {
        const terms = queries.terms[query]
        let sum = 0
        let isAnswer = true
        for (let i = 0; i < terms.length && isAnswer; i++) {
          const count = countOf[terms[i]]
          if (count === 0) isAnswer = false
          else if (scoring.part) sum += scoring.part(terms[i], count, rows.lengths[content])
        }
        if (!isAnswer) continue
        found.queries.push(query)
        found.scores.push(scoring.part ? sum * factor : factor)
      }
    }
    for (let at = start; at < end; at++) countOf[rows.terms[at]] = 0
    rowStarts[content + 1] = found.queries.length
  }
  return withSlots(pageOfContent, queries.shares, rowStarts, found)
}

/** A page can only answer a query if it has its rarest term, so queries are looked up by that. */
function queriesByRarestTerm(queries: TermQueries, pagesWith: Uint32Array): number[][] {
  const keyed: number[][] = []
  queries.terms.forEach((terms, query) => {
    const rarest = terms.reduce((best, term) => (pagesWith[term] < pagesWith[best] ? term : best))
    keyed[rarest] ??= []
    keyed[rarest].push(query)
  })
  return keyed
}

/** Numbers the slots of scores given by content: those of content c are offsets[c] .. offsets[c + 1]. */
export function withSlots(
  pageOfContent: Uint32Array,
  shares: Float64Array,
  offsets: Uint32Array,
  found: { readonly queries: ArrayLike<number>; readonly scores: ArrayLike<number> },
): AnswerScores {
  const queryCount = shares.length
  // Contents of a page are neighbours, so the last page seen tells whether a slot is there already.
  const forEachEntry = (visit: (entry: number, query: number, page: number) => void) => {
    for (let content = 0; content < pageOfContent.length; content++)
      for (let entry = offsets[content]; entry < offsets[content + 1]; entry++)
        visit(entry, found.queries[entry], pageOfContent[content])
  }
  const lastPage = new Int32Array(queryCount).fill(-1)
  const slotOffsets = new Uint32Array(queryCount + 1)
  forEachEntry((_, query, page) => {
    if (lastPage[query] === page) return
    lastPage[query] = page
    slotOffsets[query + 1]++
  })
  for (let query = 0; query < queryCount; query++) slotOffsets[query + 1] += slotOffsets[query]
  const slotPages = new Uint32Array(slotOffsets[queryCount])
  const slotQueries = new Uint32Array(slotOffsets[queryCount])
  const nextSlot = slotOffsets.slice()
  const slots = new Uint32Array(found.queries.length)
  lastPage.fill(-1)
  forEachEntry((entry, query, page) => {
    if (lastPage[query] !== page) {
      lastPage[query] = page
      slotPages[nextSlot[query]] = page
      slotQueries[nextSlot[query]++] = query
    }
    slots[entry] = nextSlot[query] - 1
  })
  const scores = Float64Array.from(found.scores)
  for (let content = 0; content < pageOfContent.length; content++)
    sortRow(slots, scores, offsets[content], offsets[content + 1])
  return { shares, slotOffsets, slotPages, slotQueries, offsets, slots, scores }
}

function sortRow(slots: Uint32Array, scores: Float64Array, start: number, end: number): void {
  const order = Uint32Array.from({ length: end - start }, (_, i) => start + i)
  order.sort((a, b) => slots[a] - slots[b])
  const [rowSlots, rowScores] = [
    order.map((at) => slots[at]),
    Float64Array.from(order, (at) => scores[at]),
  ]
  slots.set(rowSlots, start)
  scores.set(rowScores, start)
}

/** Calls `visit` for each slot that either content has a score in. */
export function forEachScore(
  answers: AnswerScores,
  before: number,
  now: number,
  visit: (slot: number, scoreBefore: number, scoreNow: number) => void,
): void {
  if (before === now) return
  const { offsets, slots, scores } = answers
  let a = offsets[before]
  let b = offsets[now]
  const [endA, endB] = [offsets[before + 1], offsets[now + 1]]
  while (a < endA || b < endB) {
    const slotA = a < endA ? slots[a] : Number.POSITIVE_INFINITY
    const slotB = b < endB ? slots[b] : Number.POSITIVE_INFINITY
    if (slotA === slotB) visit(slotA, scores[a++], scores[b++])
    else if (slotA < slotB) visit(slotA, scores[a++], 0)
    else visit(slotB, 0, scores[b++])
  }
}
