import type { Hashes64 } from '#numeric/hash.ts'
import { defaultScoring } from '#search/full-text/default-search.ts'
import type { SharedCorpus } from '#search/full-text/shared-corpus.ts'
import { TextIndex } from '#search/full-text/text-index.ts'
import type { Analyser } from '#search/text/analysis.ts'
import type { AskedQuery, QueryAnswers } from '../../facts/acquisition-facts.ts'
import { ANSWER_DEPTH, COUNTED_RESULTS, meanGainOf } from '../../facts/query-answers.ts'

/** Pages that answer queries, query by query, best first: they are known by their hashes, so that any bucket can read them. */
export interface AnswerRows {
  readonly queries: Uint32Array
  readonly low: Uint32Array
  readonly high: Uint32Array
  readonly scores: Float64Array
  /** By query: how many results it has, counted up to some. */
  readonly counts: Uint32Array
}

interface Answer {
  readonly low: number
  readonly high: number
  readonly score: number
}

/** Best first; which of equals is first must not depend on who numbered them. */
const byScore = (a: Answer, b: Answer) => b.score - a.score || a.low - b.low || a.high - b.high

/** The best answers of an index, scored by the counts of all. */
export function bestAnswers(
  index: TextIndex,
  queries: readonly AskedQuery[],
  corpus: SharedCorpus,
  { low, high }: Hashes64,
): AnswerRows {
  const counts = new Uint32Array(queries.length)
  const rows = queries.map(({ text }, query) => {
    const prepared = corpus.prepare(index, text, defaultScoring)
    for (let most = 2 * ANSWER_DEPTH; ; most *= 2) {
      const results = index.search(prepared, most)
      const isCut = results.length === most
      // Where equals are cut off, others of them might go first elsewhere.
      if (isCut && results[most - 1].score === results[ANSWER_DEPTH - 1].score) continue
      counts[query] = Math.min(results.length, COUNTED_RESULTS)
      const answers = results.map(({ url, score }) => ({ low: low[url], high: high[url], score }))
      return answers.sort(byScore).slice(0, ANSWER_DEPTH)
    }
  })
  return rowsOf(rows, counts)
}

/**
 * The best answers of all. Pages that were told of since they were indexed answer as is told, or as before if that is
 * better: until they are indexed again, nobody tells what links call them. What buckets say is read one after the other,
 * and no more is kept of it than is wanted.
 */
export function mergedAnswers(
  indexed: Iterable<AnswerRows>,
  told: Iterable<AnswerRows>,
  queryCount: number,
): AnswerRows {
  const counts = new Uint32Array(queryCount)
  const fresh = Array.from({ length: queryCount }, () => new Map<number, Answer[]>())
  for (const rows of told) {
    addCounts(counts, rows)
    eachAnswer(rows, (query, answer) => {
      fresh[query].set(answer.low, [...(fresh[query].get(answer.low) ?? []), answer])
    })
  }
  const best: Answer[][] = fresh.map((some) => [...some.values()].flat())
  for (const rows of indexed) {
    addCounts(counts, rows)
    eachAnswer(rows, (query, answer) => {
      const told = fresh[query].get(answer.low)?.find(({ high }) => high === answer.high)
      if (told && told.score >= answer.score) return
      if (told) best[query] = best[query].filter((other) => other !== told)
      best[query].push(answer)
    })
    for (const [query, some] of best.entries())
      if (some.length > 2 * ANSWER_DEPTH) best[query] = bestOf(some)
  }
  return rowsOf(best.map(bestOf), counts)
}

const bestOf = (some: readonly Answer[]) => some.toSorted(byScore).slice(0, ANSWER_DEPTH)

function addCounts(counts: Uint32Array, { counts: more }: AnswerRows): void {
  for (let query = 0; query < counts.length; query++)
    counts[query] = Math.min(COUNTED_RESULTS, counts[query] + more[query])
}

function eachAnswer(
  { queries, low, high, scores }: AnswerRows,
  take: (query: number, answer: Answer) => void,
): void {
  for (let row = 0; row < queries.length; row++)
    take(queries[row], { low: low[row], high: high[row], score: scores[row] })
}

function rowsOf(answers: readonly (readonly Answer[])[], counts: Uint32Array): AnswerRows {
  const all = answers.flat()
  return {
    queries: Uint32Array.from(answers.flatMap((some, query) => some.map(() => query))),
    low: Uint32Array.from(all, ({ low }) => low),
    high: Uint32Array.from(all, ({ high }) => high),
    scores: Float64Array.from(all, ({ score }) => score),
    counts,
  }
}

/** A page that is not known here has this number, which no URL has. */
const NOBODY = 0xffffffff

/** The answers of all as one bucket sees them, by its own numbers of URLs. */
export function answersHere(
  { queries, low, high, scores, counts }: AnswerRows,
  asked: readonly AskedQuery[],
  corpus: SharedCorpus,
  analyser: Analyser,
  hashes: Hashes64,
): QueryAnswers {
  const size = asked.length
  const numbers = numbersOf({ low, high }, hashes)
  const nothing = new TextIndex(analyser)
  const prepared = asked.map(({ text }) => corpus.prepare(nothing, text, defaultScoring))
  const answers = {
    depth: ANSWER_DEPTH,
    kept: new Uint32Array(size),
    urls: new Uint32Array(size * ANSWER_DEPTH),
    scores: new Float64Array(size * ANSWER_DEPTH),
    resultCounts: counts,
    bounds: Float64Array.from(prepared, ({ totalWeight }) => defaultScoring.bound(totalWeight)),
    lengths: Uint8Array.from(prepared, ({ termCount }) => termCount),
  }
  queries.forEach((query, row) => {
    const at = query * ANSWER_DEPTH + answers.kept[query]++
    answers.urls[at] = numbers[row]
    answers.scores[at] = scores[row]
  })
  return { ...answers, meanGain: meanGainOf(answers) }
}

/** By row: the number that a URL has here. */
function numbersOf(wanted: Hashes64, { low, high }: Hashes64): Uint32Array {
  const rowsOf = new Map<number, number[]>()
  wanted.low.forEach((word, row) => {
    const others = rowsOf.get(word)
    if (others) others.push(row)
    else rowsOf.set(word, [row])
  })
  const numbers = new Uint32Array(wanted.low.length).fill(NOBODY)
  for (let url = 0; url < low.length; url++)
    for (const row of rowsOf.get(low[url]) ?? [])
      if (wanted.high[row] === high[url]) numbers[row] = url
  return numbers
}
